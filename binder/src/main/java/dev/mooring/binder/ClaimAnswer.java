package dev.mooring.binder;

import dev.mooring.binder.decide.ClaimDecision;
import dev.mooring.binder.decide.ClaimView;
import dev.mooring.binder.decide.Marks;
import dev.mooring.binder.decide.Reason;
import dev.mooring.binder.decide.Unspoken;
import dev.mooring.explain.Actor;
import dev.mooring.explain.Cause;
import dev.mooring.explain.Next;
import dev.mooring.explain.Unseen;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a decision about a claim means to its owner.
 *
 * @param cause the reason
 * @param note the reason with this claim's names
 * @param next what happens next
 * @param isOfVolumes whether it matters which volumes there are
 */
record ClaimAnswer(Cause cause, String note, Next next, boolean isOfVolumes) {
  private static final Next AGAIN = Next.person("ask again");

  private static ClaimAnswer of(Unspoken why, String note, Next next, boolean isOfVolumes) {
    return new ClaimAnswer(BinderCauses.of(why), note, next, isOfVolumes);
  }

  /** Of a claim about which not enough could be seen. */
  static ClaimAnswer open(ClaimView view, List<Unseen> open) {
    String what =
        open.stream()
            .map(unseen -> unseen.leavesOpen() + " (" + unseen.kind().plural() + ")")
            .collect(Collectors.joining(", and "));
    String handed = view.claim().meta().annotation(Marks.STORAGE_PROVISIONER);
    return of(
        Unspoken.CANNOT_TELL,
        "it cannot be told "
            + what
            + (handed.isEmpty()
                ? ""
                : "; the claim says that it was handed to provisioner " + handed),
        Next.person("ask again, with the right to get and list what is named"),
        false);
  }

  static ClaimAnswer of(ClaimView view, ClaimDecision decision) {
    Claim claim = view.claim();
    return switch (decision) {
      case ClaimDecision.Bind(Volume volume) -> bind(claim, volume);
      case ClaimDecision.TakeDefaultClass(String name) -> takeDefault(name);
      case ClaimDecision.Provision(StorageClass storageClass, String plugin) ->
          provision(storageClass, plugin);
      case ClaimDecision.HandOver(StorageClass _, String provisioner) ->
          handOver(claim, provisioner);
      case ClaimDecision.Reselect(String node) ->
          new ClaimAnswer(
              BinderCauses.of(Reason.NODE_GONE),
              "node " + node + " was chosen for the claim, and is gone",
              controller("reselect", node, "forgets node " + node + ", so that another is chosen"),
              false);
      case ClaimDecision.Wait(Reason why, String note, boolean _) ->
          new ClaimAnswer(
              BinderCauses.of(why), note, waiting(view, why), why != Reason.VOLUME_MISSING);
      case ClaimDecision.Leave(Unspoken why) -> leave(why);
      case ClaimDecision.RefuseCopy(String _, String note) ->
          misconfigured(Reason.DATA_SOURCE_UNSUPPORTED, note);
      case ClaimDecision.MarkLost(Reason why, String note) -> lost(claim, why, note);
      case ClaimDecision.Contradiction(Reason why, String note) -> misconfigured(why, note);
      case ClaimDecision.Ask(List<?> questions) -> cannotTell("" + questions);
      case ClaimDecision.AwaitCache(String what) ->
          cannotTell("the cluster changed meanwhile: " + what + " has come");
      case ClaimDecision.CannotTell(String why) ->
          of(Unspoken.CANNOT_TELL, why, Next.person("ask again, with the rights for it"), false);
      case ClaimDecision.SearchOn() -> cannotTell("the search is not over");
    };
  }

  private static ClaimAnswer takeDefault(String name) {
    return of(
        Unspoken.TAKES_DEFAULT_CLASS,
        "the claim names no class; the default class is " + name,
        controller("set-class", name, "gives the claim class " + name),
        false);
  }

  private static ClaimAnswer provision(StorageClass storageClass, String plugin) {
    return of(
        Unspoken.PROVISIONING,
        "no volume suits; plugin " + plugin + " makes one of class " + storageClass.meta().name(),
        controller("provision", plugin, "has plugin " + plugin + " make a volume"),
        true);
  }

  private static ClaimAnswer cannotTell(String why) {
    return of(Unspoken.CANNOT_TELL, why, AGAIN, false);
  }

  private static Next controller(String action, String target, String text) {
    return new Next(Actor.CONTROLLER, action, target, text);
  }

  private static ClaimAnswer misconfigured(Reason why, String note) {
    return new ClaimAnswer(BinderCauses.of(why), note, Next.person(why.remedy()), true);
  }

  private static ClaimAnswer bind(Claim claim, Volume volume) {
    String name = volume.meta().name();
    return isSettled(claim, volume)
        ? of(Unspoken.BOUND, "it has volume " + name, Next.NOTHING, false)
        : of(
            Unspoken.BINDING,
            "volume " + name + " suits",
            controller(
                "bind", name, "binds it to volume " + name + ", if no other claim is quicker"),
            true);
  }

  private static boolean isSettled(Claim claim, Volume volume) {
    ClaimRef ref = volume.claimRef();
    return claim.meta().has(Marks.BIND_COMPLETED)
        && claim.phase() == ClaimPhase.BOUND
        && volume.phase() == VolumePhase.BOUND
        && ref != null
        && ref.uid().equals(claim.meta().uid());
  }

  private static ClaimAnswer handOver(Claim claim, String provisioner) {
    boolean handed = claim.meta().annotation(Marks.STORAGE_PROVISIONER).equals(provisioner);
    String node = claim.meta().annotation(Marks.SELECTED_NODE);
    return new ClaimAnswer(
        BinderCauses.of(Reason.EXTERNAL_PROVISIONER),
        "no volume suits; provisioner "
            + provisioner
            + " is to make one"
            + (node.isEmpty() ? "" : " for node " + node),
        handed
            ? new Next(
                Actor.PROVISIONER,
                "provision",
                provisioner,
                provisioner + " makes a volume, if it runs")
            : controller("hand-over", provisioner, "hands the claim to " + provisioner),
        true);
  }

  private static ClaimAnswer leave(Unspoken why) {
    return of(
        why,
        why.meaning(),
        why == Unspoken.BEING_DELETED
            ? controller("release", "", "lets it go when nothing holds it any more")
            : controller("await-volume", "", "binds it when its volume is Available again"),
        why != Unspoken.BEING_DELETED);
  }

  private static ClaimAnswer lost(Claim claim, Reason why, String note) {
    return new ClaimAnswer(
        BinderCauses.of(why),
        note,
        claim.phase() == ClaimPhase.LOST
            ? Next.person(why.remedy())
            : controller("mark-lost", "", "says that the claim is Lost"),
        false);
  }

  private static Next waiting(ClaimView view, Reason why) {
    return switch (why) {
      case WAITS_FOR_CONSUMER -> Next.person("create a pod that uses the claim");
      case WAITS_FOR_SCHEDULING -> {
        String pods = String.join(", ", view.waitingPods());
        yield new Next(Actor.SCHEDULER, "schedule", pods, "chooses a node for " + pods);
      }
      default -> Next.person(why.remedy());
    };
  }
}
