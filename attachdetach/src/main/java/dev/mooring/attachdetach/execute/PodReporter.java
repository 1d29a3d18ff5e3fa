package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.AttachStep;
import dev.mooring.attachdetach.decide.AttachStep.Grounds;
import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.PodUse;
import dev.mooring.attachdetach.decide.VolumeHolder;
import dev.mooring.attachdetach.decide.VolumeHolder.HoldReason;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeUse;
import dev.mooring.attachdetach.execute.AttachStats.OperationResult;
import dev.mooring.attachdetach.state.DesiredStateOfWorld;
import dev.mooring.attachdetach.state.ReportedWaits;
import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.EventSink;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.text.LogMessage;
import dev.mooring.time.Time;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Emits events on pods and writes log lines. It reports once that another node has the volume, and
 * again when the reason changes. Thread-safe.
 */
public final class PodReporter {
  public static final String REPORTER = "attachdetach-controller";

  private static final System.Logger LOG = System.getLogger(PodReporter.class.getName());
  private static final String FAILED_ATTACH = "FailedAttachVolume";

  // duration after which a running attach or detach is reported to waiting pods
  static final Duration SLOW_OPERATION = Duration.ofSeconds(5);

  private final EventSink events;
  private final DesiredStateOfWorld desired;
  private final AttachStats stats;
  private final Time time;
  private final AttachEventStyle style;
  private final ReportedWaits reportedWaits = new ReportedWaits();

  public PodReporter(
      EventSink events,
      DesiredStateOfWorld desired,
      AttachStats stats,
      Time time,
      AttachEventStyle style) {
    this.events = events;
    this.desired = desired;
    this.stats = stats;
    this.time = time;
    this.style = style;
  }

  public void reportAttached(AttachTarget target, String node) {
    info(message("attached the volume", target, node));
    for (VolumeUse use : desired.uses(target.id(), node)) {
      emit(
          use.pod(),
          ClusterEvent.Type.NORMAL,
          "SuccessfulAttachVolume",
          "AttachVolume.Attach succeeded for volume \"" + use.target().title() + "\" ");
    }
  }

  public void reportAttachFailure(AttachTarget target, String node, String message) {
    warn(message("attach failed; retrying", target, node).with(LogMessage.ERR, message));
    for (VolumeUse use : desired.uses(target.id(), node)) {
      emit(
          use.pod(),
          ClusterEvent.Type.WARNING,
          FAILED_ATTACH,
          "AttachVolume.Attach failed for volume \"" + use.target().title() + "\" : " + message);
    }
  }

  private static void info(LogMessage message) {
    LOG.log(Level.INFO, message);
  }

  private static void warn(LogMessage message) {
    LOG.log(Level.WARNING, message);
  }

  private static LogMessage message(String text, AttachTarget target, String node) {
    return LogMessage.of(text).with(LogMessage.PV, target.title()).with(LogMessage.NODE, node);
  }

  private static LogMessage message(String text, VolumeId id, String node) {
    return LogMessage.of(text).with("volume", id).with(LogMessage.NODE, node);
  }

  private static LogMessage message(String text, Attachment attachment) {
    return LogMessage.of(text)
        .with("attachment", attachment.key().name())
        .with(LogMessage.PV, attachment.volumeName())
        .with(LogMessage.NODE, attachment.nodeName());
  }

  void reportDetached(VolumeId id, String node) {
    info(message("detached the volume", id, node));
  }

  void reportDetachFailure(VolumeId id, String node, String message) {
    warn(message("detach failed; retrying", id, node).with(LogMessage.ERR, message));
  }

  void reportKept(VolumeId id, String node, String reason) {
    info(message("the volume stays on the node: " + reason, id, node));
  }

  void reportForcedDetach(VolumeId id, String node, Grounds grounds, String evidence) {
    stats.countForced(grounds);
    warn(message("detaching the volume by force: " + evidence, id, node));
  }

  void reportDrift(VolumeId id, String node, String reason) {
    stats.countDrift();
    warn(message("the volume was recorded as attached, but " + reason, id, node));
  }

  void reportOnlyHolder(VolumeId id, String node) {
    info(message("the volume is attached to this node and to no other", id, node));
  }

  void reportNotHolder(VolumeId id, String node) {
    info(
        message(
            "the volume is not on the node: only a VolumeAttachment showed it there, that object is deleted, and the node's status does not list the volume",
            id,
            node));
  }

  void reportDangling(VolumeId id, String node) {
    warn(
        message(
            "the plugin reports the volume as attached, but no node status lists it: an earlier process or a person attached it; Mooring detaches it unless a pod on the node needs it",
            id,
            node));
  }

  void reportImplausiblePlugin(String plugin, String node) {
    warn(
        LogMessage.of(
                "the plugin reports a volume that does not exist; Mooring ignores its other answers about the node")
            .with("plugin", plugin)
            .with(LogMessage.NODE, node));
  }

  // Counts an attach or detach that has ended.
  void countEnd(String operation, VolumeId id, OperationResult result, long startNanos) {
    stats.recordOperation(id, operation, result, time.nanos() - startNanos);
  }

  // Counts the verification of a node.
  void countVerification(long startNanos) {
    stats.recordVerification(time.nanos() - startNanos);
  }

  long nanos() {
    return time.nanos();
  }

  void reportUnverified(String node, String message) {
    warn(
        LogMessage.of("verifying the node's volumes failed")
            .with(LogMessage.NODE, node)
            .with(LogMessage.ERR, message));
  }

  void reportLeftoverDeleted(Attachment attachment) {
    info(
        message(
            "deleted the VolumeAttachment of a deleted volume: no attacher had begun to process it",
            attachment));
  }

  void reportLeftoverDeletionFailure(Attachment attachment, String message) {
    warn(
        message("deleting the VolumeAttachment of a deleted volume failed", attachment)
            .with(LogMessage.ERR, message));
  }

  void reportLeftoverKept(Attachment attachment, String reason) {
    LOG.log(
        Level.DEBUG,
        message("the VolumeAttachment of a deleted volume stays: " + reason, attachment));
  }

  /**
   * Reports a decision to the pods that wait.
   *
   * @return when to call again, because a slow operation must be reported then; empty for never
   */
  public Optional<Duration> reportWaiting(VolumeId id, List<AttachStep> steps) {
    List<VolumeUse> uses = desired.uses(id);
    if (uses.isEmpty()) {
      forget(id);
      return Optional.empty();
    }
    reportedWaits.retain(id, uses.stream().map(style::receiver).collect(Collectors.toSet()));
    Optional<Duration> recheckDelay = findReportDelay(id, steps);
    for (AttachStep step : steps) {
      if (step instanceof AttachStep.Blocked(String node, List<VolumeHolder> holders)
          && isWorthReporting(holders, style.isExplaining() && recheckDelay.isEmpty())) {
        reportBlocked(id, node, holders, uses);
      }
    }
    return recheckDelay;
  }

  public void forget(VolumeId id) {
    reportedWaits.forget(id);
  }

  private Optional<Duration> findReportDelay(VolumeId id, List<AttachStep> steps) {
    boolean hasRunningOperation =
        steps.stream()
            .anyMatch(step ->
                step instanceof AttachStep.Blocked(String _, List<VolumeHolder> holders)
                    && holders.stream().anyMatch(PodReporter::hasRunningOperation));
    if (!hasRunningOperation || !style.isExplaining()) {
      reportedWaits.endOperation(id);
      return Optional.empty();
    }
    long now = time.nanos();
    Duration remaining = SLOW_OPERATION.minusNanos(now - reportedWaits.findOperationStart(id, now));
    return remaining.isPositive() ? Optional.of(remaining) : Optional.empty();
  }

  private static boolean isWorthReporting(List<VolumeHolder> holders, boolean isSlow) {
    return !holders.isEmpty()
        && (isSlow || holders.stream().noneMatch(PodReporter::hasRunningOperation));
  }

  private static boolean hasRunningOperation(VolumeHolder holder) {
    return switch (holder.reason()) {
      case ATTACHING, DETACHING -> true;
      case WANTED,
          WANTED_NOT_READY,
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

  private void reportBlocked(
      VolumeId id, String node, List<VolumeHolder> holders, List<VolumeUse> uses) {
    List<VolumeUse> waitingUses = uses.stream().filter(use -> use.node().equals(node)).toList();
    Set<String> receivers =
        reportedWaits.recordState(
            id, waitingUses.stream().map(style::receiver).toList(), style.reportedState(holders));
    String reasons = style.reasons(holders, this::describeHolder);
    Set<String> holderNodes = holders.stream().map(VolumeHolder::node).collect(Collectors.toSet());
    for (VolumeUse use : waitingUses) {
      if (receivers.contains(style.receiver(use))) {
        String prefix = "Multi-Attach error for volume \"" + use.target().title() + "\" ";
        String message = prefix + describeUsers(use.pod(), uses, holderNodes) + reasons;
        emit(
            use.pod(),
            ClusterEvent.Type.WARNING,
            FAILED_ATTACH,
            message + describeOtherAddresses(use, uses, holderNodes));
      }
    }
  }

  // pods of other namespaces are only counted
  private static String describeUsers(
      PodUse receiver, List<VolumeUse> uses, Set<String> holderNodes) {
    TreeSet<String> ownPods = new TreeSet<>();
    int foreignPods = 0;
    for (VolumeUse volumeUse : uses) {
      PodUse use = volumeUse.pod();
      if (use.node().equals(receiver.node()) || !holderNodes.contains(use.node())) {
        continue;
      }
      if (use.pod().namespace().equals(receiver.pod().namespace())) {
        ownPods.add(use.pod().name());
      } else {
        foreignPods++;
      }
    }
    if (ownPods.isEmpty() && foreignPods == 0) {
      return "Volume is already exclusively attached to one node and can't be attached to another";
    }
    List<String> descriptions = new ArrayList<>();
    if (!ownPods.isEmpty()) {
      descriptions.add("pod(s) " + String.join(", ", ownPods));
    }
    if (foreignPods > 0) {
      descriptions.add(foreignPods + " pod(s) in different namespaces");
    }
    return "Volume is already used by " + String.join(" and ", descriptions);
  }

  // names the nodes whose pods address the storage in another way, and how an administrator finds
  // them
  private String describeOtherAddresses(
      VolumeUse receiver, List<VolumeUse> uses, Set<String> holderNodes) {
    String nodes =
        uses.stream()
            .filter(use -> holderNodes.contains(use.node()) && hasOtherAddress(use, receiver))
            .map(VolumeUse::node)
            .distinct()
            .collect(Collectors.joining(", node/"));
    return nodes.isEmpty() || !style.isExplaining()
        ? ""
        : ". Pods there address the same storage without this PersistentVolume: an administrator"
            + " finds them with mooring explain node/"
            + nodes;
  }

  private static boolean hasOtherAddress(VolumeUse use, VolumeUse receiver) {
    return use.target().isInline()
        || !use.target().persistentVolume().equals(receiver.target().persistentVolume());
  }

  private String describeHolder(VolumeHolder holder) {
    String node = ". Node " + holder.node();
    return switch (holder.reason()) {
      case WANTED -> node + " keeps it until the pods there end";
      case WANTED_NOT_READY ->
          node
              + " is not ready, and keeps it while pods there exist: "
              + VolumeHolder.MACHINE_OFF_REMEDY;
      case UNCERTAIN ->
          node
              + " reports it in use, and it is unknown whether it is attached there: waiting for"
              + " the driver to confirm which node has it, or for the pods there to end";
      case ATTACHING ->
          node + " is attaching it: waiting for the attach, and for the pods there to end";
      case DETACHING -> node + " is detaching it: waiting for the detach to succeed";
      case IN_USE ->
          node + " is ready and still lists it in use: waiting for its kubelet to unmount it";
      case IN_USE_UNTRACED -> node + describeUntraced(holder);
      case UNMANAGED ->
          node
              + " attaches and detaches its volumes itself (it lacks the annotation"
              + " volumes.kubernetes.io/controller-managed-attach-detach): waiting for its pods to end"
              + " and its kubelet to detach the volume";
      case NODE_ABSENT -> node + " does not exist: " + VolumeHolder.absentNodeRemedy(holder.node());
      case IN_USE_NOT_READY ->
          node + " is not ready and lists it in use: " + describeForcedDetach(holder);
      case IN_USE_GONE ->
          node + " does not exist and counts as using it: " + describeForcedDetach(holder);
    };
  }

  private String describeUntraced(VolumeHolder holder) {
    Duration remainingWait = holder.remainingWait();
    return " is ready and lists it in use, but no VolumeAttachment, volumesAttached or pod confirms it:"
        + (remainingWait == null
            ? ""
            : " attached to another node at "
                + time.now().plus(remainingWait).truncatedTo(ChronoUnit.SECONDS)
                + ", or")
        + " waiting for its kubelet to stop listing it; if it never does, restart that kubelet";
  }

  private String describeForcedDetach(VolumeHolder holder) {
    Duration remainingWait = holder.remainingWait();
    boolean isDeleted = holder.reason() == HoldReason.IN_USE_GONE;
    if (remainingWait == null) {
      return isDeleted
          ? "it is not force-detached (--disable-force-detach-on-timeout); if the machine is off, delete the VolumeAttachment"
          : "force-detached when the node gets the taint node.kubernetes.io/out-of-service"
              + " (--disable-force-detach-on-timeout is set)";
    }
    Instant forceTime = time.now().plus(remainingWait).truncatedTo(ChronoUnit.SECONDS);
    return "force-detached at "
        + forceTime
        + (isDeleted
            ? ""
            : ", or at once when the node gets the taint node.kubernetes.io/out-of-service");
  }

  private void emit(PodUse use, ClusterEvent.Type type, String reason, String message) {
    Meta podMeta = Meta.of(use.pod(), use.uid());
    events.emit(
        new ClusterEvent(Kind.POD, podMeta, type, reason, "AttachVolume", message, REPORTER));
  }
}
