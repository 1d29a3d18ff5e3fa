package dev.mooring.it.scenario;

import static dev.mooring.it.scenario.ClusterState.text;

import com.google.gson.JsonObject;
import dev.mooring.explain.ExpectedAction;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.StepActor;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Actions of the controllers between two moments.
 *
 * @param currentState state after the actions
 * @param previousState state before them
 * @param writtenObjects objects written, in the notation of {@link AnnouncedActions}
 * @param requestedObjects objects requested, in the same notation
 */
record ObservedActions(
    ClusterState currentState,
    ClusterState previousState,
    Set<String> writtenObjects,
    Set<String> requestedObjects) {
  private static final String PHASE = "phase";
  private static final Set<ExpectedAction> ATTACHMENT_ACTIONS =
      Set.of(
          ExpectedAction.ATTACH,
          ExpectedAction.DETACH,
          ExpectedAction.FORCE_DETACH,
          ExpectedAction.UNMOUNT);
  private static final String SPEC = "spec";
  private static final String STATUS = "status";

  /** Returns whether the controllers wrote the object and it has the announced state. */
  boolean isPerformed(Explanation explanation) {
    String target = explanation.nextStep().target();
    return switch (explanation.nextStep().action()) {
      case ATTACH -> isAttachmentChanged(target, false);
      case DETACH, FORCE_DETACH -> isAttachmentChanged(target, true);
      case CREATE_CLAIM ->
          currentState
              .find(Kind.CLAIM, ObjectKey.of(explanation.subject().key().namespace(), target))
              .isPresent();
      case ADD_FINALIZER,
          AWAIT_VOLUME,
          BIND,
          CLEAR_CLAIM_REF,
          DELETE,
          GROW,
          HAND_OVER,
          MARK_LOST,
          PROVISION,
          RECYCLE,
          RELEASE,
          REQUEST_NODE_EXPANSION,
          RESELECT,
          SET_CLASS,
          SET_PHASE,
          SET_PROVISIONER,
          UNBIND ->
          isPerformedOnObject(explanation);
      case GROW_FILE_SYSTEM, MODIFY, NONE, REGISTER, SCHEDULE, SCHEDULE_ELSEWHERE, UNMOUNT ->
          throw rejectAction(explanation);
    };
  }

  /**
   * Rejects actions of other actors or objects, which an explanation must not assign to the
   * controller.
   */
  private static IllegalArgumentException rejectAction(Explanation explanation) {
    return new IllegalArgumentException(
        "not the controller's: " + explanation.subject() + " " + explanation.nextStep());
  }

  private boolean isPerformedOnObject(Explanation explanation) {
    Kind<?> kind = explanation.subject().kind();
    if (!kind.equals(Kind.CLAIM) && !kind.equals(Kind.VOLUME)) {
      throw rejectAction(explanation);
    }
    Optional<JsonObject> previousObject = previousState.find(kind, explanation.subject().key());
    Optional<JsonObject> currentObject =
        currentState
            .find(kind, explanation.subject().key())
            .filter(object ->
                previousObject
                    .filter(previous -> ClusterState.uid(previous).equals(ClusterState.uid(object)))
                    .isPresent());
    if (previousObject.isEmpty()) {
      throw new IllegalArgumentException("no such object before: " + explanation.subject());
    }
    if (currentObject.isEmpty()) {
      return true; // deleted or replaced after the step
    }
    return kind.equals(Kind.CLAIM)
        ? isPerformed(explanation, previousObject.get(), currentObject.get())
        : isPerformedOnVolume(explanation, previousObject.get(), currentObject.get());
  }

  /**
   * Returns whether the VolumeAttachment was created or deleted. The attachment of an inline volume
   * does not name the volume. Without a driver, the controller writes the node status instead.
   */
  private boolean isAttachmentChanged(String volume, boolean isRemoval) {
    Map<ObjectKey, String> previousAttachments = findAttachments(previousState, volume);
    Map<ObjectKey, String> currentAttachments = findAttachments(currentState, volume);
    if (previousAttachments.isEmpty() && currentAttachments.isEmpty()) {
      return writtenObjects.contains(Kind.NODE.plural())
          || writtenObjects.contains(Kind.ATTACHMENT.plural());
    }
    return isRemoval
        ? previousAttachments.entrySet().stream()
            .anyMatch(attachment ->
                !attachment.getValue().equals(currentAttachments.get(attachment.getKey())))
        : currentAttachments.keySet().stream()
            .anyMatch(attachment -> !previousAttachments.containsKey(attachment));
  }

  private static Map<ObjectKey, String> findAttachments(ClusterState state, String volume) {
    Map<ObjectKey, String> attachments = new HashMap<>();
    state
        .objectsOf(Kind.ATTACHMENT)
        .forEach((key, object) -> {
          if (volumeName(object).equals(volume)) {
            attachments.put(key, ClusterState.describe(Kind.ATTACHMENT, object));
          }
        });
    return attachments;
  }

  private static String volumeName(JsonObject attachment) {
    return text(attachment, SPEC, "source", "persistentVolumeName");
  }

  private boolean isPerformed(Explanation explanation, JsonObject previousClaim, JsonObject claim) {
    String target = explanation.nextStep().target();
    boolean claimWritten = hasWritten(Kind.CLAIM, explanation.subject().key().name());
    return switch (explanation.nextStep().action()) {
      case BIND ->
          (claimWritten || hasWritten(Kind.VOLUME, target))
              && text(claim, SPEC, "volumeName").equals(target);
      case SET_CLASS -> claimWritten && text(claim, SPEC, "storageClassName").equals(target);
      case SET_PHASE -> claimWritten && text(claim, STATUS, PHASE).equals(target);
      case HAND_OVER, SET_PROVISIONER ->
          claimWritten
              && Stream.of("storage-provisioner", "storage-resizer")
                  .anyMatch(suffix ->
                      text(claim, "metadata", "annotations", "volume.kubernetes.io/" + suffix)
                          .equals(target));
      case RESELECT ->
          claimWritten
              && !text(claim, "metadata", "annotations", "volume.kubernetes.io/selected-node")
                  .equals(target);
      case MARK_LOST -> claimWritten && text(claim, STATUS, PHASE).equals("Lost");
      case PROVISION ->
          currentState
                  .find(Kind.VOLUME, ObjectKey.cluster("pvc-" + ClusterState.uid(claim)))
                  .isPresent()
              || hasEmitted(previousClaim, "ProvisioningFailed");
      case GROW ->
          claimWritten
              || hasWritten(Kind.VOLUME, text(claim, SPEC, "volumeName"))
              || hasEmitted(previousClaim, "VolumeResizeFailed");
      case RELEASE ->
          claimWritten && !ClusterState.finalizersText(claim).contains("pvc-protection");
      case REQUEST_NODE_EXPANSION -> claimWritten;
      case AWAIT_VOLUME -> claimWritten && text(claim, STATUS, PHASE).equals("Bound");
      default -> throw rejectAction(explanation);
    };
  }

  private boolean isPerformedOnVolume(
      Explanation explanation, JsonObject previousVolume, JsonObject volume) {
    String target = explanation.nextStep().target();
    boolean volumeWritten = hasWritten(Kind.VOLUME, explanation.subject().key().name());
    return switch (explanation.nextStep().action()) {
      case BIND ->
          (volumeWritten || hasWritten(Kind.CLAIM, target.substring(target.indexOf('/') + 1)))
              && ClusterState.claimKey(volume).equals(target);
      case SET_PHASE ->
          volumeWritten && !text(volume, STATUS, PHASE).equals(text(previousVolume, STATUS, PHASE));
      case UNBIND ->
          volumeWritten
              && !ClusterState.describe(Kind.VOLUME, volume).equals(describeVolume(previousVolume));
      case DELETE -> // each attempt reads the volume, and a repeated failure emits no event
          requestedObjects.contains(Kind.VOLUME.plural() + "/" + explanation.subject().key().name())
              || volumeWritten && text(volume, STATUS, PHASE).equals("Failed")
              || volumeWritten && !text(volume, "metadata", "deletionTimestamp").isEmpty()
              || hasEmitted(previousVolume, "VolumeFailedDelete")
              || hasEmitted(previousVolume, "VolumeDelete");
      case RECYCLE -> volumeWritten || writtenObjects.contains(Kind.POD.plural());
      case ADD_FINALIZER -> volumeWritten;
      case RELEASE ->
          volumeWritten && !ClusterState.finalizersText(volume).contains("pv-protection");
      case CLEAR_CLAIM_REF -> volumeWritten && !ClusterState.claimKey(volume).equals(target);
      default -> throw rejectAction(explanation);
    };
  }

  /** Returns whether the volume was bound meanwhile, as announced. */
  private boolean isNewlyBound(String volume, Set<String> announcedObjects) {
    ObjectKey key = ObjectKey.cluster(volume);
    return currentState
        .find(Kind.VOLUME, key)
        .filter(object ->
            streamCounterparts(Kind.VOLUME, key, object).anyMatch(announcedObjects::contains))
        .isPresent();
  }

  private static String describeVolume(JsonObject volume) {
    return ClusterState.describe(Kind.VOLUME, volume);
  }

  private boolean hasWritten(Kind<?> kind, String name) {
    return writtenObjects.contains(kind.plural() + "/" + name);
  }

  private boolean hasEmitted(JsonObject object, String reason) {
    return currentState.eventCount(object, reason) > previousState.eventCount(object, reason);
  }

  /**
   * Returns changes of claims, volumes and attachments that no explanation announced, neither for
   * the object nor for its counterpart.
   */
  List<String> findUnannouncedChanges(List<Explanation> explanations) {
    Set<String> announcedObjects = new HashSet<>();
    Set<String> movedVolumes = new HashSet<>();
    for (Explanation explanation : explanations) {
      if (ATTACHMENT_ACTIONS.contains(explanation.nextStep().action())) {
        movedVolumes.add(
            explanation.nextStep().target()); // an action may continue the action of another actor
      }
      if (explanation.nextStep().actor() != StepActor.CONTROLLER) {
        continue;
      }
      announcedObjects.add(
          explanation.subject().kind().plural() + "/" + explanation.subject().key());
      if (explanation.nextStep().action() == ExpectedAction.CREATE_CLAIM) {
        announcedObjects.add(
            Kind.CLAIM.plural()
                + "/"
                + explanation.subject().key().namespace()
                + "/"
                + explanation.nextStep().target());
      }
      if (explanation.nextStep().action() == ExpectedAction.BIND) {
        announcedObjects.add(
            (explanation.subject().kind().equals(Kind.CLAIM) ? Kind.VOLUME : Kind.CLAIM).plural()
                + "/"
                + explanation.nextStep().target());
      }
    }
    List<String> unannounced = new ArrayList<>();
    for (Kind<?> kind : List.of(Kind.CLAIM, Kind.VOLUME)) {
      previousState
          .objectsOf(kind)
          .forEach((key, previous) -> {
            String currentText =
                currentState
                    .find(kind, key)
                    .map(current -> ClusterState.describe(kind, current))
                    .orElse("gone");
            if (!currentText.equals(ClusterState.describe(kind, previous))
                && streamCounterparts(kind, key, previous).noneMatch(announcedObjects::contains)) {
              unannounced.add(
                  kind
                      + " "
                      + key
                      + ": "
                      + ClusterState.describe(kind, previous)
                      + " -> "
                      + currentText);
            }
          });
    }
    addUnannouncedAttachments(movedVolumes, announcedObjects, unannounced);
    return unannounced;
  }

  /** Returns the object and its previous and current counterparts. */
  private Stream<String> streamCounterparts(Kind<?> kind, ObjectKey key, JsonObject previous) {
    Stream<String> counterparts =
        Stream.of(Optional.of(previous), currentState.find(kind, key))
            .flatMap(Optional::stream)
            .map(object ->
                kind.equals(Kind.CLAIM)
                    ? Kind.VOLUME.plural() + "/" + text(object, SPEC, "volumeName")
                    : Kind.CLAIM.plural() + "/" + ClusterState.claimKey(object));
    return Stream.concat(Stream.of(kind.plural() + "/" + key), counterparts);
  }

  private void addUnannouncedAttachments(
      Set<String> movedVolumes, Set<String> announcedObjects, List<String> unannounced) {
    Set<ObjectKey> keys = new HashSet<>(previousState.objectsOf(Kind.ATTACHMENT).keySet());
    keys.addAll(currentState.objectsOf(Kind.ATTACHMENT).keySet());
    for (ObjectKey key : keys) {
      Optional<JsonObject> previous = previousState.find(Kind.ATTACHMENT, key);
      Optional<JsonObject> current = currentState.find(Kind.ATTACHMENT, key);
      String volume = volumeName(current.or(() -> previous).orElseThrow());
      String oldText =
          previous
              .map(attachment -> ClusterState.describe(Kind.ATTACHMENT, attachment))
              .orElse("none");
      String newText =
          current
              .map(attachment -> ClusterState.describe(Kind.ATTACHMENT, attachment))
              .orElse("gone");
      boolean finishedByDriver = oldText.endsWith("leaving") && newText.equals("gone");
      boolean isInline =
          volume.isEmpty() && !movedVolumes.isEmpty(); // its attachment does not name the volume
      if (!oldText.equals(newText)
          && !finishedByDriver
          && !isInline
          && !movedVolumes.contains(volume)
          && !isNewlyBound(volume, announcedObjects)) {
        unannounced.add("attachment of " + volume + ": " + oldText + " -> " + newText);
      }
    }
  }
}
