package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.AttachReason;
import dev.mooring.attachdetach.decide.AttachStep;
import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.PodUse;
import dev.mooring.attachdetach.decide.VolumeHolder;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeUse;
import dev.mooring.attachdetach.decide.WantedVolume;
import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.EventSink;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.time.Time;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Tells pods, and the log, what becomes of volumes. That another node has the volume is told once,
 * and again when what is waited for changes. Thread-safe.
 */
public final class PodReporter {
  /** The reporting component's name. */
  public static final String REPORTER = "attachdetach-controller";

  private static final System.Logger LOG = System.getLogger(PodReporter.class.getName());
  private static final String FAILED = "FailedAttachVolume";

  /** How long an attach or a detach may take before whoever waits for it is told. */
  static final Duration SLOW = Duration.ofSeconds(5);

  private final EventSink events;
  private final DesiredState desired;
  private final Time time;
  private final AttachEventStyle style;
  private final Map<VolumeId, Map<String, String>> told = new ConcurrentHashMap<>();
  private final Map<VolumeId, Long> slow =
      new ConcurrentHashMap<>(); // on the move and waited for, since

  /**
   * Tells there.
   *
   * @param style what is told, and when
   */
  public PodReporter(EventSink events, DesiredState desired, Time time, AttachEventStyle style) {
    this.events = events;
    this.desired = desired;
    this.time = time;
    this.style = style;
  }

  /** It is attached. */
  public void attached(AttachTarget target, String node) {
    LOG.log(Level.INFO, () -> "attached volume " + target.title() + " to node " + node);
    for (VolumeUse use : desired.uses(target.id(), node)) {
      tell(
          use.pod(),
          ClusterEvent.Type.NORMAL,
          "SuccessfulAttachVolume",
          "AttachVolume.Attach succeeded for volume \"" + use.target().title() + "\" ");
    }
  }

  /** It could not be attached. */
  public void failed(AttachTarget target, String node, String why) {
    LOG.log(
        Level.WARNING,
        () -> "attaching volume " + target.title() + " to node " + node + ": " + why);
    for (VolumeUse use : desired.uses(target.id(), node)) {
      tell(
          use.pod(),
          ClusterEvent.Type.WARNING,
          FAILED,
          "AttachVolume.Attach failed for volume \"" + use.target().title() + "\" : " + why);
    }
  }

  /** It is detached. */
  void detached(VolumeId id, String node) {
    LOG.log(Level.INFO, () -> "detached volume " + id + " from node " + node);
  }

  /** It could not be detached. */
  void notDetached(VolumeId id, String node, String why) {
    LOG.log(Level.WARNING, () -> "detaching volume " + id + " from node " + node + ": " + why);
  }

  /** It is not detached after all. */
  void stays(VolumeId id, String node, String why) {
    LOG.log(Level.INFO, () -> "volume " + id + " stays on node " + node + ": " + why);
  }

  /** It is taken from a node that says it uses it. */
  void forced(VolumeId id, String node, String evidence) {
    LOG.log(
        Level.WARNING,
        () -> "taking volume " + id + " from node " + node + " by force: " + evidence);
  }

  /** It was not where it was thought to be. */
  void drifted(VolumeId id, String node, String why) {
    LOG.log(
        Level.WARNING,
        () -> "volume " + id + " was taken for attached to node " + node + ", but " + why);
  }

  /** A volume that may have been on several nodes is on that one. */
  void hasIt(VolumeId id, String node) {
    LOG.log(Level.INFO, () -> "volume " + id + " is attached to node " + node + " and no other");
  }

  /** Nobody waits any more for the node to give it up. */
  void hasItNot(VolumeId id, String node) {
    LOG.log(
        Level.INFO,
        () ->
            "volume "
                + id
                + " is not on node "
                + node
                + ": nothing but a VolumeAttachment told of it, which is gone, and the node's status"
                + " does not list it");
  }

  /** A plugin has it attached there, and nobody knew. */
  void dangling(VolumeId id, String node) {
    LOG.log(
        Level.WARNING,
        () ->
            "volume "
                + id
                + " is attached to node "
                + node
                + ", says its plugin, and no status lists it: left by a process that was killed, or attached by hand; it is detached unless a pod there needs it");
  }

  /** A plugin is not believed. */
  void saysYesToAll(String plugin, String node) {
    LOG.log(
        Level.WARNING,
        () ->
            "plugin \""
                + plugin
                + "\" says that node "
                + node
                + " has a volume that nobody has: what it says of the others is not believed");
  }

  /** Nobody could say what is attached to a node. */
  void unverified(String node, String why) {
    LOG.log(Level.WARNING, () -> "verifying the volumes of node " + node + ": " + why);
  }

  /** A VolumeAttachment of a volume that is gone was deleted. */
  void swept(Attachment attachment) {
    LOG.log(
        Level.INFO, () -> "deleted " + ofNoVolume(attachment) + ": no attacher had begun with it");
  }

  /** It could not be deleted. */
  void notSwept(Attachment attachment, String why) {
    LOG.log(Level.WARNING, () -> "deleting " + ofNoVolume(attachment) + ": " + why);
  }

  /** It is not to be deleted. */
  void spared(Attachment attachment, String why) {
    LOG.log(Level.DEBUG, () -> ofNoVolume(attachment) + " stays: " + why);
  }

  private static String ofNoVolume(Attachment attachment) {
    return "VolumeAttachment "
        + attachment.key().name()
        + " of volume "
        + attachment.volumeName()
        + ", which is gone, to node "
        + attachment.nodeName();
  }

  /**
   * What was decided: nodes that wait are told why, others can be forgotten.
   *
   * @return when to call again, because what is not worth telling yet may be then; empty for not
   */
  public Optional<Duration> decided(VolumeId id, List<AttachStep> steps) {
    WantedVolume wanted = desired.wanted(id);
    Map<String, String> before = told.get(id);
    if (wanted.uses().isEmpty()) {
      freed(id);
      return Optional.empty();
    }
    if (before != null) {
      before
          .keySet()
          .retainAll(wanted.uses().stream().map(VolumeUse::node).collect(Collectors.toSet()));
    }
    Optional<Duration> later = patience(id, steps);
    for (AttachStep step : steps) {
      if (step instanceof AttachStep.Blocked(String node, List<VolumeHolder> holders)
          && isWorthTelling(holders, style.tellsMoreThanKubernetes() && later.isEmpty())) {
        blocked(id, node, holders, wanted);
      }
    }
    return later;
  }

  /** Nobody waits for the volume: nodes share it, or it is gone. */
  public void freed(VolumeId id) {
    told.remove(id);
    slow.remove(id);
  }

  /** How much longer what is waited for may be on the move before that is worth telling. */
  private Optional<Duration> patience(VolumeId id, List<AttachStep> steps) {
    boolean moving =
        steps.stream()
            .anyMatch(step ->
                step instanceof AttachStep.Blocked(String _, List<VolumeHolder> holders)
                    && holders.stream().anyMatch(PodReporter::isMoving));
    if (!moving || !style.tellsMoreThanKubernetes()) {
      slow.remove(id);
      return Optional.empty();
    }
    long since = slow.computeIfAbsent(id, i -> time.nanos());
    Duration left = SLOW.minusNanos(time.nanos() - since);
    return left.isPositive() ? Optional.of(left) : Optional.empty();
  }

  /** What goes by itself in a moment is not told: that the volume is on its way. */
  private static boolean isWorthTelling(List<VolumeHolder> holders, boolean isSlow) {
    return !holders.isEmpty() && (isSlow || holders.stream().noneMatch(PodReporter::isMoving));
  }

  /** Whether that ends by itself, unless it fails again and again. */
  private static boolean isMoving(VolumeHolder holder) {
    return switch (holder.why()) {
      case ATTACHING, DETACHING -> true;
      case WANTED,
          UNCERTAIN,
          IN_USE,
          IN_USE_UNTRACED,
          IN_USE_NOT_READY,
          IN_USE_GONE,
          UNMANAGED,
          NODE_ABSENT ->
          false;
    };
  }

  private void blocked(VolumeId id, String node, List<VolumeHolder> holders, WantedVolume wanted) {
    String triggers = style.occasion(holders);
    String before = told.computeIfAbsent(id, i -> new ConcurrentHashMap<>()).put(node, triggers);
    if (triggers.equals(before)) {
      return;
    }
    String reasons = style.reasons(holders, this::reason);
    Set<String> having = holders.stream().map(VolumeHolder::node).collect(Collectors.toSet());
    for (VolumeUse use : wanted.uses()) {
      if (use.node().equals(node)) {
        String start = "Multi-Attach error for volume \"" + use.target().title() + "\" ";
        String note = start + users(use.pod(), wanted, having) + reasons;
        tell(use.pod(), ClusterEvent.Type.WARNING, FAILED, note + otherWays(use, wanted, having));
      }
    }
  }

  /** Who uses it elsewhere; names of other namespaces' pods are none of the reader's business. */
  private static String users(PodUse reader, WantedVolume wanted, Set<String> having) {
    TreeSet<String> own = new TreeSet<>();
    int foreign = 0;
    for (VolumeUse other : wanted.uses()) {
      PodUse use = other.pod();
      if (use.node().equals(reader.node()) || !having.contains(use.node())) {
        continue;
      }
      if (use.pod().namespace().equals(reader.pod().namespace())) {
        own.add(use.pod().name());
      } else {
        foreign++;
      }
    }
    if (own.isEmpty() && foreign == 0) {
      return "Volume is already exclusively attached to one node and can't be attached to another";
    }
    List<String> parts = new ArrayList<>();
    if (!own.isEmpty()) {
      parts.add("pod(s) " + String.join(", ", own));
    }
    if (foreign > 0) {
      parts.add(foreign + " pod(s) in different namespaces");
    }
    return "Volume is already used by " + String.join(" and ", parts);
  }

  /**
   * Where pods have the volume that do not use the reader's PersistentVolume, and who can see them.
   */
  private String otherWays(VolumeUse reader, WantedVolume wanted, Set<String> having) {
    String nodes =
        wanted.uses().stream()
            .filter(use -> having.contains(use.node()) && isAnotherWay(use, reader))
            .map(VolumeUse::node)
            .distinct()
            .collect(Collectors.joining(", node/"));
    return nodes.isEmpty() || !style.tellsMoreThanKubernetes()
        ? ""
        : ". Pods there address the same storage without this PersistentVolume: an administrator"
            + " finds them with mooring explain node/"
            + nodes;
  }

  private static boolean isAnotherWay(VolumeUse use, VolumeUse reader) {
    return use.target().isInline()
        || !use.target().persistentVolume().equals(reader.target().persistentVolume());
  }

  private String reason(VolumeHolder holder) {
    String node = ". Node " + holder.node();
    return switch (holder.why()) {
      case WANTED -> node + " keeps it until the pods there are gone";
      case UNCERTAIN ->
          node
              + " says that it uses it, and nobody knows whether it is attached there: waiting for"
              + " the driver to say who has it, or for the pods there to be gone";
      case ATTACHING ->
          node + " is getting it: waiting for that attach, and for the pods there to be gone";
      case DETACHING -> node + " is giving it back: waiting for the detach to succeed";
      case IN_USE ->
          node + " is ready and still lists it in use: waiting for its kubelet to unmount it";
      case IN_USE_UNTRACED -> node + untraced(holder);
      case UNMANAGED ->
          node
              + " attaches and detaches its volumes itself (it lacks the annotation"
              + " volumes.kubernetes.io/controller-managed-attach-detach): waiting for its pods to end"
              + " and its kubelet to detach the volume";
      case NODE_ABSENT -> node + " does not exist: " + AttachReason.absentNodeRemedy(holder.node());
      case IN_USE_NOT_READY -> node + " is not ready and lists it in use: " + force(holder);
      case IN_USE_GONE ->
          node + " does not exist any more and is taken to use it: " + force(holder);
    };
  }

  private String untraced(VolumeHolder holder) {
    Duration until = holder.until();
    return " is ready and lists it in use, but no attachment, list or pod confirms it:"
        + (until == null
            ? ""
            : " given to another node at "
                + time.now().plus(until).truncatedTo(ChronoUnit.SECONDS)
                + ", or")
        + " waiting for its kubelet to list it no more; if it never does, restart that kubelet";
  }

  private String force(VolumeHolder holder) {
    Duration until = holder.until();
    boolean gone = holder.why() == VolumeHolder.Why.IN_USE_GONE;
    if (until == null) {
      return gone
          ? "it is not taken away by force (--disable-force-detach-on-timeout); if the machine is off, delete the VolumeAttachment"
          : "taken away when somebody gives the node the taint node.kubernetes.io/out-of-service"
              + " (--disable-force-detach-on-timeout is set)";
    }
    Instant when = time.now().plus(until).truncatedTo(ChronoUnit.SECONDS);
    return "taken away by force at "
        + when
        + (gone
            ? ""
            : ", or at once when somebody gives the node the taint node.kubernetes.io/out-of-service");
  }

  private void tell(PodUse use, ClusterEvent.Type type, String reason, String note) {
    Meta about = Meta.named(use.pod(), use.uid());
    events.tell(new ClusterEvent(Kind.POD, about, type, reason, "AttachVolume", note, REPORTER));
  }
}
