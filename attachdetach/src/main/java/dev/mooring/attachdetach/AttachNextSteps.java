package dev.mooring.attachdetach;

import dev.mooring.attachdetach.decide.AttachReason;
import dev.mooring.attachdetach.decide.VolumeHolder;
import dev.mooring.explain.Action;
import dev.mooring.explain.Actor;
import dev.mooring.explain.Next;
import dev.mooring.explain.Timing;
import dev.mooring.model.Attachment;
import java.time.Duration;
import java.util.Optional;

final class AttachNextSteps {
  private AttachNextSteps() {}

  static Next attach(String title, String node, Optional<Attachment> asked) {
    return asked
        .filter(attachment -> !attachment.meta().isBeingDeleted())
        .map(attachment ->
            byDriver(
                Action.ATTACH, title, attachment, "attaches volume " + title + " to node " + node))
        .orElseGet(() ->
            new Next(
                Actor.CONTROLLER,
                Action.ATTACH,
                title,
                "has volume " + title + " attached to node " + node));
  }

  static Next leftToKubelet(String title, String node) {
    return new Next(
        Actor.KUBELET,
        Action.ATTACH,
        title,
        "of node " + node + " attaches volume " + title + " itself, before it starts the pod");
  }

  static Next detach(String title, String node, Optional<Attachment> there) {
    String what = "detaches volume " + title + " from node " + node;
    return there
        .filter(attachment -> attachment.meta().isBeingDeleted())
        .map(attachment -> byDriver(Action.DETACH, title, attachment, what))
        .orElseGet(() -> new Next(Actor.CONTROLLER, Action.DETACH, title, what));
  }

  private static Next byDriver(Action action, String title, Attachment attachment, String what) {
    return new Next(
        Actor.DRIVER, action, title, attachment.attacher() + " " + what + ", if its attacher runs");
  }

  static Next whenPodsEnd(String title, String node) {
    return new Next(
        Actor.CONTROLLER,
        Action.DETACH,
        title,
        "detaches volume "
            + title
            + " from node "
            + node
            + " when those pods end, or when the controller restarts",
        Timing.LATER);
  }

  static Next of(VolumeHolder holder, String title, Optional<Attachment> there) {
    String from = "volume " + title + " from node " + holder.node();
    return switch (holder.why()) {
      case WANTED -> Next.person("end the pods that use volume " + title + " on " + holder.node());
      case UNCERTAIN ->
          Next.person(
              "end the pods that use volume "
                  + title
                  + " on "
                  + holder.node()
                  + ", unless the driver confirms in a VolumeAttachment which node has it");
      case ATTACHING -> attachFirst(title, holder.node(), there);
      case DETACHING -> detach(title, holder.node(), there);
      case IN_USE, IN_USE_UNTRACED ->
          new Next(Actor.KUBELET, Action.UNMOUNT, title, "unmounts " + from);
      case UNMANAGED ->
          new Next(
              Actor.KUBELET,
              Action.DETACH,
              title,
              "detaches " + from + " itself when no pod there needs it",
              Timing.LATER);
      case NODE_ABSENT -> registerNode(holder.node());
      case IN_USE_NOT_READY, IN_USE_GONE ->
          new Next(
              Actor.CONTROLLER,
              Action.FORCE_DETACH,
              title,
              "force-detaches " + from + when(holder),
              Timing.LATER);
    };
  }

  // only a person can confirm that a machine is off, so that its pods may be removed
  static Next registerNode(String node) {
    return Next.person(AttachReason.absentNodeRemedy(node));
  }

  private static Next attachFirst(String title, String node, Optional<Attachment> asked) {
    Next next = attach(title, node, asked);
    return new Next(
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
