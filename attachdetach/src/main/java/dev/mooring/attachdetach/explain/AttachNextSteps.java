package dev.mooring.attachdetach.explain;

import dev.mooring.attachdetach.decide.VolumeHolder;
import dev.mooring.explain.ExpectedAction;
import dev.mooring.explain.NextStep;
import dev.mooring.explain.StepActor;
import dev.mooring.explain.StepTiming;
import dev.mooring.model.Attachment;
import java.time.Duration;
import java.util.Optional;

final class AttachNextSteps {
  private AttachNextSteps() {}

  static NextStep attach(String title, String node, Optional<Attachment> asked) {
    return asked
        .filter(attachment -> !attachment.meta().isBeingDeleted())
        .map(attachment ->
            byDriver(
                ExpectedAction.ATTACH,
                title,
                attachment,
                "attaches volume " + title + " to node " + node))
        .orElseGet(() ->
            new NextStep(
                StepActor.CONTROLLER,
                ExpectedAction.ATTACH,
                title,
                "has volume " + title + " attached to node " + node));
  }

  static NextStep leftToKubelet(String title, String node) {
    return new NextStep(
        StepActor.KUBELET,
        ExpectedAction.ATTACH,
        title,
        "of node " + node + " attaches volume " + title + " itself, before it starts the pod");
  }

  static NextStep detach(String title, String node, Optional<Attachment> there) {
    String what = "detaches volume " + title + " from node " + node;
    return there
        .filter(attachment -> attachment.meta().isBeingDeleted())
        .map(attachment -> byDriver(ExpectedAction.DETACH, title, attachment, what))
        .orElseGet(() -> new NextStep(StepActor.CONTROLLER, ExpectedAction.DETACH, title, what));
  }

  static NextStep byDriver(
      ExpectedAction action, String title, Attachment attachment, String what) {
    return new NextStep(
        StepActor.DRIVER,
        action,
        title,
        attachment.attacher() + " " + what + ", if its attacher runs");
  }

  static NextStep whenPodsEnd(String title, String node) {
    return new NextStep(
        StepActor.CONTROLLER,
        ExpectedAction.DETACH,
        title,
        "detaches volume "
            + title
            + " from node "
            + node
            + " when those pods end, or when the controller restarts",
        StepTiming.LATER);
  }

  static NextStep of(VolumeHolder holder, String title, Optional<Attachment> there) {
    String from = "volume " + title + " from node " + holder.node();
    return switch (holder.why()) {
      case WANTED ->
          NextStep.person("end the pods that use volume " + title + " on " + holder.node());
      case UNCERTAIN ->
          NextStep.person(
              "end the pods that use volume "
                  + title
                  + " on "
                  + holder.node()
                  + ", unless the driver confirms in a VolumeAttachment which node has it");
      case ATTACHING -> attachFirst(title, holder.node(), there);
      case DETACHING -> detach(title, holder.node(), there);
      case IN_USE, IN_USE_UNTRACED ->
          new NextStep(StepActor.KUBELET, ExpectedAction.UNMOUNT, title, "unmounts " + from);
      case UNMANAGED ->
          new NextStep(
              StepActor.KUBELET,
              ExpectedAction.DETACH,
              title,
              "detaches " + from + " itself when no pod there needs it",
              StepTiming.LATER);
      case NODE_ABSENT -> registerNode(holder.node());
      case IN_USE_NOT_READY, IN_USE_GONE ->
          new NextStep(
              StepActor.CONTROLLER,
              ExpectedAction.FORCE_DETACH,
              title,
              "force-detaches " + from + when(holder),
              StepTiming.LATER);
    };
  }

  // only a person can confirm that a machine is off, so that its pods may be removed
  static NextStep registerNode(String node) {
    return NextStep.person(VolumeHolder.absentNodeRemedy(node));
  }

  private static NextStep attachFirst(String title, String node, Optional<Attachment> asked) {
    NextStep next = attach(title, node, asked);
    return new NextStep(
        next.by(),
        next.action(),
        next.target(),
        next.text() + "; other nodes get it when the pods there end",
        next.timing());
  }

  // explanations see the state at one moment, so only the maximum of the waiting time is known
  private static String when(VolumeHolder holder) {
    Duration until = holder.until();
    return until == null
        ? ", if that node does not come back"
        : " after "
            + until.toMinutes()
            + " minutes at the latest, unless that node comes back or its flags forbid it";
  }

  static String note(VolumeHolder holder, String users) {
    return switch (holder.why()) {
      case WANTED -> "used there by " + users;
      case UNCERTAIN ->
          "lists the volume in use, and it is unknown whether it is attached there; wanted there by "
              + users;
      case ATTACHING -> "it is being attached there";
      case DETACHING -> "it is being detached there";
      case IN_USE -> "ready, and still lists the volume in use: its kubelet must unmount it";
      case IN_USE_UNTRACED ->
          "ready, and lists the volume in use, but no attachment, list or pod confirms it";
      case UNMANAGED ->
          "its kubelet attaches and detaches its volumes itself"
              + (users.isEmpty() ? "" : "; used there by " + users);
      case NODE_ABSENT -> "there is no such Node; used there by " + users;
      case IN_USE_NOT_READY -> "not ready, and last listed the volume in use" + force(holder);
      case IN_USE_GONE -> "does not exist, and last listed the volume in use" + force(holder);
    };
  }

  private static String force(VolumeHolder holder) {
    Duration until = holder.until();
    return until == null
        ? ""
        : "; it is detached by force after " + until.toMinutes() + " minutes at the latest";
  }
}
