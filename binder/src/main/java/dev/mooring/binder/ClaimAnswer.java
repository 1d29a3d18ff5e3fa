package dev.mooring.binder;

import dev.mooring.binder.decide.ClaimDecision;
import dev.mooring.binder.decide.ClaimView;
import dev.mooring.binder.decide.Marks;
import dev.mooring.binder.decide.Policy;
import dev.mooring.binder.decide.Reason;
import dev.mooring.binder.decide.Unspoken;
import dev.mooring.explain.Action;
import dev.mooring.explain.Actor;
import dev.mooring.explain.Cause;
import dev.mooring.explain.Next;
import dev.mooring.explain.Timing;
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
          mayProvision(storageClass, plugin, "");
      case ClaimDecision.HandOver(StorageClass _, String provisioner) ->
          handOver(claim, provisioner);
      case ClaimDecision.Reselect(String node) ->
          new ClaimAnswer(
              BinderCauses.of(Reason.NODE_GONE),
              "node " + node + " was chosen for the claim, and is gone",
              controller(
                  Action.RESELECT, node, "forgets node " + node + ", so that another is chosen"),
              false);
      case ClaimDecision.Wait(Reason why, String note, boolean setPending) ->
          new ClaimAnswer(
              BinderCauses.of(why),
              note,
              setPending && claim.phase() != ClaimPhase.PENDING
                  ? controller(
                      Action.SET_PHASE,
                      ClaimPhase.PENDING.toString(),
                      "sets its phase to " + ClaimPhase.PENDING)
                  : waiting(view, why),
              why != Reason.VOLUME_MISSING);
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
        controller(Action.SET_CLASS, name, "gives the claim class " + name),
        false);
  }

  static ClaimAnswer provision(StorageClass storageClass, String plugin) {
    return provision(
        storageClass,
        plugin,
        "; no event says that it was tried",
        new Next(
            Actor.CONTROLLER,
            Action.PROVISION,
            plugin,
            "has plugin " + plugin + " make a volume, unless its flags switch provisioning off",
            Timing.UNLESS_OFF));
  }

  /** It is said in the claim who is to make its volume, also where that does not. */
  ClaimAnswer marking(String plugin) {
    return next.by() == Actor.CONTROLLER
        ? this
        : new ClaimAnswer(
            cause,
            note,
            new Next(
                Actor.CONTROLLER,
                Action.MARK,
                plugin,
                "marks the claim for plugin "
                    + plugin
                    + ", unless its flags switch provisioning off",
                Timing.UNLESS_OFF),
            isOfVolumes);
  }

  /** Of one of many claims: what became of earlier tries was not looked up. */
  static ClaimAnswer mayProvision(StorageClass storageClass, String plugin, String tried) {
    return provision(
        storageClass,
        plugin,
        tried,
        new Next(
            Actor.CONTROLLER,
            Action.PROVISION,
            plugin,
            "has plugin " + plugin + " make a volume, if that can",
            Timing.OPEN));
  }

  private static ClaimAnswer provision(
      StorageClass storageClass, String plugin, String tried, Next next) {
    return of(
        Unspoken.PROVISIONING,
        "no volume suits; plugin "
            + plugin
            + " is to make one of class "
            + storageClass.meta().name()
            + tried,
        next,
        true);
  }

  /**
   * It was tried.
   *
   * @param failure what was said of that
   */
  static ClaimAnswer provisionAgain(String plugin, String failure, Policy policy) {
    return new ClaimAnswer(
        BinderCauses.of(Reason.PLUGIN_FAILED),
        failure,
        new Next(
            Actor.CONTROLLER,
            Action.PROVISION,
            plugin,
            "has plugin " + plugin + " try again" + Pauses.afterFailure(policy),
            Timing.AGAIN),
        true);
  }

  /**
   * The volume that was made for it is there.
   *
   * @param failed what that lacks
   */
  static ClaimAnswer madeUnfit(String volume, String failed) {
    return failed.isEmpty()
        ? of(
            Unspoken.BINDING,
            "volume " + volume + " was made for it",
            controller(Action.BIND, volume, "binds it to volume " + volume),
            true)
        : of(
            Unspoken.MADE_UNFIT,
            "volume " + volume + " was made for it, and " + failed,
            Next.person(Unspoken.MADE_UNFIT.remedy()),
            true);
  }

  /** The node that was chosen for it is not there. */
  static ClaimAnswer withoutNode(String note, String orElse) {
    return new ClaimAnswer(
        BinderCauses.of(Reason.NODE_MISSING),
        note,
        Next.person(orElse + "take annotation " + Marks.SELECTED_NODE + " off the claim"),
        true);
  }

  /** The CSI driver that is to make the volume does not run on the chosen node. */
  static ClaimAnswer withoutDriver(String node, String driver) {
    return of(
        Unspoken.NODE_WITHOUT_DRIVER,
        "the scheduler chose node " + node + ", and driver " + driver + " does not run there",
        Next.person(Unspoken.NODE_WITHOUT_DRIVER.remedy()),
        true);
  }

  /** The request of an unbound claim is immutable: only a new claim can request less. */
  static ClaimAnswer tooLarge(String refusal) {
    return new ClaimAnswer(
        BinderCauses.of(Reason.PLUGIN_REFUSED),
        refusal,
        Next.person("delete the claim and create it again with a smaller request"),
        true);
  }

  static ClaimAnswer cannotTell(String why) {
    return of(Unspoken.CANNOT_TELL, why, AGAIN, false);
  }

  private static Next controller(Action action, String target, String text) {
    return new Next(Actor.CONTROLLER, action, target, text);
  }

  static ClaimAnswer misconfigured(Reason why, String note) {
    return new ClaimAnswer(BinderCauses.of(why), note, Next.person(why.remedy()), true);
  }

  private static Next later(Action action, String text) {
    return new Next(Actor.CONTROLLER, action, "", text, Timing.LATER);
  }

  private static ClaimAnswer bind(Claim claim, Volume volume) {
    String name = volume.meta().name();
    return isSettled(claim, volume)
        ? of(Unspoken.BOUND, "it has volume " + name, Next.NOTHING, false)
        : of(
            Unspoken.BINDING,
            "volume " + name + " suits",
            controller(
                Action.BIND, name, "binds it to volume " + name + ", if no other claim is quicker"),
            true);
  }

  private static boolean isSettled(Claim claim, Volume volume) {
    ClaimRef ref = volume.claimRef();
    return claim.meta().has(Marks.BIND_COMPLETED)
        && claim.phase() == ClaimPhase.BOUND
        && volume.phase() == VolumePhase.BOUND
        && ref != null
        && !ref.uid().isNone()
        && ref.isFor(claim.key(), claim.meta().uid());
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
                Action.PROVISION,
                provisioner,
                provisioner + " makes a volume, if it runs")
            : new Next(
                Actor.CONTROLLER,
                Action.HAND_OVER,
                provisioner,
                "hands the claim to " + provisioner + ", unless its flags switch provisioning off",
                Timing.UNLESS_OFF),
        true);
  }

  private static ClaimAnswer leave(Unspoken why) {
    return of(
        why,
        why.meaning(),
        why == Unspoken.BEING_DELETED
            ? later(Action.RELEASE, "lets it go when nothing holds it any more")
            : later(Action.AWAIT_VOLUME, "binds it when its volume is Available again"),
        why != Unspoken.BEING_DELETED);
  }

  private static ClaimAnswer lost(Claim claim, Reason why, String note) {
    return new ClaimAnswer(
        BinderCauses.of(why),
        note,
        claim.phase() == ClaimPhase.LOST
            ? Next.person(why.remedy())
            : controller(Action.MARK_LOST, "", "says that the claim is Lost"),
        false);
  }

  private static Next waiting(ClaimView view, Reason why) {
    return switch (why) {
      case WAITS_FOR_CONSUMER -> Next.person("create a pod that uses the claim");
      case WAITS_FOR_SCHEDULING -> {
        String pods = String.join(", ", view.waitingPods());
        yield new Next(Actor.SCHEDULER, Action.SCHEDULE, pods, "chooses a node for " + pods);
      }
      default -> Next.person(why.remedy());
    };
  }
}
