package dev.mooring.wire;

import dev.mooring.model.LabelSelector.Requirement;
import dev.mooring.model.NodeAffinity;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

final class AffinityDecoder {
  private static final class TermDraft {
    static final MessageFields<TermDraft> MESSAGE =
        MessageFields.of(TermDraft::new)
            .with(1, "matchExpressions", (d, in) -> d.labels.add(VolumeKinds.readRequirement(in)))
            .with(2, "matchFields", (d, in) -> d.fields.add(VolumeKinds.readRequirement(in)));

    final List<Requirement> labels = new ArrayList<>();
    final List<Requirement> fields = new ArrayList<>();

    NodeAffinity.Term toTerm() {
      return new NodeAffinity.Term(labels, fields);
    }
  }

  private static final MessageFields<List<NodeAffinity.Term>> NODE_SELECTOR =
      MessageFields.<List<NodeAffinity.Term>>of(ArrayList::new)
          .with(
              1,
              "nodeSelectorTerms",
              (terms, in) -> terms.add(TermDraft.MESSAGE.read(in).toTerm()));

  private static final MessageFields<List<NodeAffinity.Term>> AFFINITY =
      MessageFields.<List<NodeAffinity.Term>>of(ArrayList::new)
          .with(1, "required", NODE_SELECTOR::readInto);

  private AffinityDecoder() {}

  static NodeAffinity decode(WireReader in) throws IOException {
    List<NodeAffinity.Term> terms = AFFINITY.read(in);
    return terms.isEmpty() ? NodeAffinity.NONE : new NodeAffinity(terms);
  }
}
