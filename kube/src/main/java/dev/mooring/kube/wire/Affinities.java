package dev.mooring.kube.wire;

import dev.mooring.kube.wire.Wire.Fields;
import dev.mooring.model.LabelSelector.Requirement;
import dev.mooring.model.NodeAffinity;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The nodes that can reach a volume. */
final class Affinities {
  private static final Fields AFFINITY = Fields.of(1, "required");
  private static final Fields SELECTOR = Fields.of(1, "nodeSelectorTerms");
  private static final Fields TERM = Fields.of(1, "matchExpressions").and(2, "matchFields");

  private Affinities() {}

  static NodeAffinity read(Wire in) throws IOException {
    List<NodeAffinity.Term> terms = new ArrayList<>();
    for (int field = in.open(AFFINITY); field != 0; field = in.next(AFFINITY)) {
      if (field == 1) {
        required(in, terms);
      } else {
        in.skip();
      }
    }
    return terms.isEmpty() ? NodeAffinity.NONE : new NodeAffinity(terms);
  }

  private static void required(Wire in, List<NodeAffinity.Term> terms) throws IOException {
    for (int field = in.open(SELECTOR); field != 0; field = in.next(SELECTOR)) {
      if (field == 1) {
        terms.add(term(in));
      } else {
        in.skip();
      }
    }
  }

  private static NodeAffinity.Term term(Wire in) throws IOException {
    List<Requirement> labels = new ArrayList<>();
    List<Requirement> fields = new ArrayList<>();
    for (int field = in.open(TERM); field != 0; field = in.next(TERM)) {
      switch (field) {
        case 1 -> labels.add(Volumes.requirement(in));
        case 2 -> fields.add(Volumes.requirement(in));
        default -> in.skip();
      }
    }
    return new NodeAffinity.Term(labels, fields);
  }
}
