package dev.mooring.attachdetach.explain;

import dev.mooring.attachdetach.decide.AttachStep;
import dev.mooring.attachdetach.decide.VolumeHolder;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.explain.ClusterView;
import dev.mooring.explain.Evidence;
import dev.mooring.explain.ExpectedAction;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.KnownFinalizers;
import dev.mooring.explain.NextStep;
import dev.mooring.explain.ObjectHolder;
import dev.mooring.explain.StepActor;
import dev.mooring.explain.SubjectRef;
import dev.mooring.explain.UnreadableKind;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

public final class AttachmentExplainer extends AttachExplainer {
  private static final Set<Kind<?>> STEP_KINDS =
      Set.of(Kind.POD, Kind.CLAIM, Kind.VOLUME, Kind.NODE, Kind.CSI_DRIVER);

  public AttachmentExplainer(ClusterView clusterView, Supplier<SnapshotStates> states) {
    super(Kind.ATTACHMENT, clusterView, states);
  }

  @Override
  public List<Explanation> explain(ObjectKey key, Detail detail) {
    return clusterView()
        .informer(Kind.ATTACHMENT)
        .get(key)
        .map(attachment -> List.of(createExplanation(attachment)))
        .orElse(List.of());
  }

  private Explanation createExplanation(Attachment attachment) {
    AttachmentView view = createView(attachment);
    AttachReason reason = view.findReason();
    boolean isTerminating = attachment.meta().isBeingDeleted();
    return new Explanation(
        new SubjectRef(Kind.ATTACHMENT, attachment.key()),
        isTerminating ? "Terminating" : attachment.attached() ? "Attached" : "Pending",
        isTerminating
            ? attachment.meta().deleted()
            : attachment.attached() ? 0 : created(attachment),
        reason.cause(),
        describe(attachment) + (attachment.attached() && isTerminating ? ", and attached" : ""),
        createNextStep(view, reason),
        createEvidence(attachment, view),
        findUnreadableKinds(isTerminating));
  }

  private static long created(Attachment attachment) {
    return attachment.meta().created();
  }

  private static String describe(Attachment attachment) {
    return (attachment.volumeName().isEmpty()
            ? "an inline volume of a pod"
            : "volume " + attachment.volumeName())
        + " on node "
        + attachment.nodeName()
        + ", by "
        + attachment.attacher();
  }

  private AttachmentView createView(Attachment attachment) {
    SnapshotStates snapshotStates = states();
    boolean hasStepKinds =
        STEP_KINDS.stream().allMatch(kind -> clusterView().readError(kind).isEmpty());
    Optional<VolumeId> id = snapshotStates.findVolumeId(attachment);
    boolean isVolumeAbsent =
        !attachment.volumeName().isEmpty()
            && clusterView().readError(Kind.VOLUME).isEmpty()
            && clusterView()
                .informer(Kind.VOLUME)
                .get(ObjectKey.cluster(attachment.volumeName()))
                .isEmpty();
    return new AttachmentView(
        attachment,
        isVolumeAbsent,
        id.filter(volume -> !volume.isNamedByUs(attachment)).isPresent(),
        snapshotStates.findDriverState(attachment.attacher(), attachment.nodeName()),
        snapshotStates.isNodeAbsent(attachment.nodeName())
            && id.filter(volume ->
                    !snapshotStates.describeUsers(volume, attachment.nodeName()).isEmpty())
                .isPresent(),
        id.filter(volume ->
                !snapshotStates.describeRemainingPods(volume, attachment.nodeName()).isEmpty())
            .isPresent(),
        hasStepKinds
            ? id.flatMap(volume -> snapshotStates.findStep(volume, attachment.nodeName()))
                .orElse(null)
            : null);
  }

  private List<UnreadableKind> findUnreadableKinds(boolean isTerminating) {
    Map<Kind<?>, String> kinds = new LinkedHashMap<>();
    kinds.put(Kind.CSI_DRIVER, "whether its driver exists, and attaches volumes");
    kinds.put(Kind.CSI_NODE, "whether its driver runs on the node");
    if (!isTerminating) {
      kinds.put(Kind.VOLUME, "whether the volume exists");
      kinds.put(Kind.CLAIM, "which claim the volume belongs to");
      kinds.put(Kind.POD, "whether a pod on the node needs the volume");
      kinds.put(Kind.NODE, "whether the node uses the volume");
    }
    return clusterView().openQuestions(kinds);
  }

  private Evidence createEvidence(Attachment attachment, AttachmentView view) {
    List<ObjectHolder> holders = new ArrayList<>();
    if (attachment.meta().isBeingDeleted()) {
      attachment
          .meta()
          .finalizers()
          .forEach(f ->
              holders.add(
                  new ObjectHolder(
                      "finalizer", f, KnownFinalizers.findOwner(f).releaseCondition())));
    } else if (view.step() instanceof AttachStep.Keep(String node)) {
      states()
          .findVolumeId(attachment)
          .map(id -> states().describeUsers(id, node))
          .ifPresent(
              users -> holders.add(new ObjectHolder("node", node, "used there by " + users)));
    } else {
      findHolders(view.step())
          .forEach(h ->
              holders.add(
                  new ObjectHolder("node", h.node(), AttachNextSteps.describeHolder(h, "pods"))));
    }
    return Evidence.ofHolders(holders)
        .withErrors(
            Stream.of(attachment.detachError(), attachment.attachError())
                .filter(error -> !error.isEmpty())
                .toList());
  }

  private static List<VolumeHolder> findHolders(@Nullable AttachStep step) {
    return switch (step) {
      case AttachStep.Hold(VolumeHolder holder) -> List.of(holder);
      case AttachStep.Blocked(String _, List<VolumeHolder> holders) -> holders;
      case AttachStep.Keep _,
          AttachStep.Busy _,
          AttachStep.LeaveToKubelet _,
          AttachStep.Attach _,
          AttachStep.Detach _ ->
          List.of();
      case null -> List.of();
    };
  }

  private NextStep createNextStep(AttachmentView view, AttachReason reason) {
    Attachment attachment = view.attachment();
    String title = attachment.volumeName();
    String node = attachment.nodeName();
    String driver = attachment.attacher();
    return switch (reason) {
      case ATTACHING, ATTACH_FAILED ->
          AttachNextSteps.createDriverStep(
              ExpectedAction.ATTACH, title, attachment, "attaches it to node " + node);
      case DETACHING, DETACH_FAILED ->
          AttachNextSteps.createDriverStep(
              ExpectedAction.DETACH, title, attachment, "detaches it from node " + node);
      case DRIVER_NOT_ON_NODE ->
          new NextStep(
              StepActor.KUBELET,
              ExpectedAction.REGISTER,
              driver,
              "of node " + node + " registers driver " + driver + ", when the driver runs there");
      case NODE_OBJECT_ABSENT -> AttachNextSteps.registerNode(node);
      case POD_REMAINS -> AttachNextSteps.detachAfterPods(title, node);
      case DETACH_DUE -> AttachNextSteps.detach(title, node, Optional.of(attachment));
      case UNMOUNT_AWAITED, FORCE_AWAITED, MULTI_ATTACH ->
          createHolderStep(attachment, findHolders(view.step()).getFirst());
      case ATTACHMENT_HELD ->
          KnownFinalizers.createReleaseStep(attachment.meta().finalizers().getFirst());
      case ATTACHED, VOLUMES_READY, NODE_SETTLED, LEFT_TO_KUBELET -> NextStep.NOTHING;
      case CLAIM_ABSENT,
          NO_NODE_FOR_VOLUMES,
          CLAIM_OF_ONE_POD,
          DRIVER_ABSENT,
          ATTACH_NOT_NEEDED,
          VOLUME_OBJECT_ABSENT,
          ATTACHED_BY_OTHERS,
          NEEDED_ELSEWHERE,
          NODE_FULL ->
          NextStep.person(reason.remedy());
    };
  }

  private NextStep createHolderStep(Attachment attachment, VolumeHolder holder) {
    SnapshotStates snapshotStates = states();
    return AttachNextSteps.createStep(
        holder,
        attachment.volumeName(),
        snapshotStates
            .findVolumeId(attachment)
            .flatMap(id -> snapshotStates.findAttachment(id, holder.node())));
  }
}
