package dev.mooring.kube.wire;

import dev.mooring.kube.wire.WireReader.Fields;
import dev.mooring.model.LabelSelector.Requirement;
import dev.mooring.model.NodeAffinity;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

final class AffinityDecoder {
  private static final class Affinity {
    static final int REQUIRED = 1;
    static final Fields ALL = Fields.of(REQUIRED, "required");
  }

  private static final class NodeSelector {
    static final int NODE_SELECTOR_TERMS = 1;
    static final Fields ALL = Fields.of(NODE_SELECTOR_TERMS, "nodeSelectorTerms");
  }

  private static final class SelectorTerm {
    static final int MATCH_EXPRESSIONS = 1;
    static final int MATCH_FIELDS = 2;
    static final Fields ALL =
        Fields.of(MATCH_EXPRESSIONS, "matchExpressions").and(MATCH_FIELDS, "matchFields");
  }

  private AffinityDecoder() {}

  static NodeAffinity decode(WireReader in) throws IOException {
    List<NodeAffinity.Term> terms = new ArrayList<>();
    for (int field = in.open(Affinity.ALL); field != 0; field = in.next(Affinity.ALL)) {
      if (field == Affinity.REQUIRED) {
        readRequired(in, terms);
      } else {
        in.skip();
      }
    }
    return terms.isEmpty() ? NodeAffinity.NONE : new NodeAffinity(terms);
  }

  private static void readRequired(WireReader in, List<NodeAffinity.Term> terms)
      throws IOException {
    for (int field = in.open(NodeSelector.ALL); field != 0; field = in.next(NodeSelector.ALL)) {
      if (field == NodeSelector.NODE_SELECTOR_TERMS) {
        terms.add(readTerm(in));
      } else {
        in.skip();
      }
    }
  }

  private static NodeAffinity.Term readTerm(WireReader in) throws IOException {
    List<Requirement> labels = new ArrayList<>();
    List<Requirement> fields = new ArrayList<>();
    for (int field = in.open(SelectorTerm.ALL); field != 0; field = in.next(SelectorTerm.ALL)) {
      switch (field) {
        case SelectorTerm.MATCH_EXPRESSIONS -> labels.add(VolumeKinds.readRequirement(in));
        case SelectorTerm.MATCH_FIELDS -> fields.add(VolumeKinds.readRequirement(in));
        default -> in.skip();
      }
    }
    return new NodeAffinity.Term(labels, fields);
  }
}
