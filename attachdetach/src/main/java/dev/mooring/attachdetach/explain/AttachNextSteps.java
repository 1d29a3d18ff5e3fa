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

  static NextStep attach(String title, String node, Optional<Attachment> existing) {
    return existing
        .filter(attachment -> !attachment.meta().isBeingDeleted())
        .map(attachment ->
            createDriverStep(
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

  static NextStep detach(String title, String node, Optional<Attachment> existing) {
    String text = "detaches volume " + title + " from node " + node;
    return existing
        .filter(attachment -> attachment.meta().isBeingDeleted())
        .map(attachment -> createDriverStep(ExpectedAction.DETACH, title, attachment, text))
        .orElseGet(() -> new NextStep(StepActor.CONTROLLER, ExpectedAction.DETACH, title, text));
  }

  static NextStep createDriverStep(
      ExpectedAction action, String title, Attachment attachment, String text) {
    return new NextStep(
        StepActor.DRIVER,
        action,
        title,
        attachment.attacher() + " " + text + ", if its attacher runs");
  }

  static NextStep detachAfterPods(String title, String node) {
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

  static NextStep createStep(VolumeHolder holder, String title, Optional<Attachment> existing) {
    String volumeOnNode = "volume " + title + " from node " + holder.node();
    return switch (holder.reason()) {
      case WANTED ->
          NextStep.person("end the pods that use volume " + title + " on " + holder.node());
      case WANTED_NOT_READY ->
          NextStep.person("repair node " + holder.node() + "; " + VolumeHolder.MACHINE_OFF_REMEDY);
      case UNCERTAIN ->
          NextStep.person(
              "end the pods that use volume "
                  + title
                  + " on "
                  + holder.node()
                  + ", unless the driver confirms in a VolumeAttachment which node has it");
      case ATTACHING -> createAttachStep(title, holder.node(), existing);
      case DETACHING -> detach(title, holder.node(), existing);
      case IN_USE, IN_USE_UNTRACED ->
          new NextStep(
              StepActor.KUBELET, ExpectedAction.UNMOUNT, title, "unmounts " + volumeOnNode);
      case UNMANAGED ->
          new NextStep(
              StepActor.KUBELET,
              ExpectedAction.DETACH,
              title,
              "detaches " + volumeOnNode + " itself when no pod there needs it",
              StepTiming.LATER);
      case NODE_ABSENT -> registerNode(holder.node());
      case IN_USE_NOT_READY, IN_USE_GONE ->
          new NextStep(
              StepActor.CONTROLLER,
              ExpectedAction.FORCE_DETACH,
              title,
              "force-detaches " + volumeOnNode + describeDeadline(holder),
              StepTiming.LATER);
    };
  }

  // only a person can confirm that a machine is off, so that its pods may be removed
  static NextStep registerNode(String node) {
    return NextStep.person(VolumeHolder.absentNodeRemedy(node));
  }

  private static NextStep createAttachStep(
      String title, String node, Optional<Attachment> existing) {
    NextStep step = attach(title, node, existing);
    return new NextStep(
        step.actor(),
        step.action(),
        step.target(),
        step.text() + "; other nodes get it when the pods there end",
        step.timing());
  }

  // explanations see the state at one moment, so only the maximum of the waiting time is known
  private static String describeDeadline(VolumeHolder holder) {
    Duration remainingWait = holder.remainingWait();
    return remainingWait == null
        ? ", if that node does not come back"
        : " after "
            + remainingWait.toMinutes()
            + " minutes at the latest, unless that node comes back or its flags forbid it";
  }

  static String describeHolder(VolumeHolder holder, String users) {
    return switch (holder.reason()) {
      case WANTED -> "used there by " + users;
      case WANTED_NOT_READY -> "not ready; used there by " + users;
      case UNCERTAIN ->
          "lists the volume in use, and it is unknown whether it is attached there; wanted there by "
              + users;
      case ATTACHING -> "it is being attached there";
      case DETACHING -> "it is being detached there";
      case IN_USE -> "ready, and still lists the volume in use: its kubelet must unmount it";
      case IN_USE_UNTRACED ->
          "ready, and lists the volume in use, but no VolumeAttachment, volumesAttached or pod confirms it";
      case UNMANAGED ->
          "its kubelet attaches and detaches its volumes itself"
              + (users.isEmpty() ? "" : "; used there by " + users);
      case NODE_ABSENT -> "there is no such Node; used there by " + users;
      case IN_USE_NOT_READY ->
          "not ready, and last listed the volume in use" + describeForcedDetach(holder);
      case IN_USE_GONE ->
          "does not exist, and last listed the volume in use" + describeForcedDetach(holder);
    };
  }

  private static String describeForcedDetach(VolumeHolder holder) {
    Duration remainingWait = holder.remainingWait();
    return remainingWait == null
        ? ""
        : "; it is detached by force after " + remainingWait.toMinutes() + " minutes at the latest";
  }
}
