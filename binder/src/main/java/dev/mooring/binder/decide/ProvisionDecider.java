package dev.mooring.binder.decide;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.live.Step;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;

/**
 * Decides from live answers whether a volume may be provisioned for a claim. Ids in comments are
 * the rows of {@code docs/dev/live-verdicts.md}.
 */
public final class ProvisionDecider {
  private ProvisionDecider() {}

  public static ObjectKey volumeKey(Claim claim) {
    return ObjectKey.cluster("pvc-" + claim.meta().uid());
  }

  /**
   * Decides whether the selected node exists. An annotation with an empty value also selects a
   * node, which cannot exist.
   */
  public static Step<NodeVerdict> decideNode(Claim claim, LiveFacts live) {
    if (!claim.meta().hasAnnotation(BinderMarks.SELECTED_NODE)) {
      return Step.decided(new NodeVerdict.Exists(null)); // O1
    }
    ObjectKey key = ObjectKey.cluster(claim.meta().annotation(BinderMarks.SELECTED_NODE));
    if (!key.flaw().isEmpty()) {
      return Step.decided(new NodeVerdict.Impossible(key.flaw())); // O2
    }
    Question.ObjectRead<Node> question = new Question.ObjectRead<>(Kind.NODE, key);
    return switch (live.of(question)) {
      case Fact.NotAsked<Node> _ -> Step.ask(question);
      case Fact.Absent<Node> _ -> Step.decided(new NodeVerdict.Gone()); // O3
      case Fact.Unknown<Node>(String message) ->
          Step.decided(new NodeVerdict.Unknown(message)); // O4
      case Fact.Present<Node>(Node node) -> Step.decided(new NodeVerdict.Exists(node)); // O5
    };
  }
}
