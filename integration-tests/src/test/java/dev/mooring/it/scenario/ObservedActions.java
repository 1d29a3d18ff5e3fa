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
 * @param now state after the actions
 * @param before state before them
 * @param written objects written, in the notation of {@link AnnouncedActions}
 * @param asked objects requested, in the same notation
 */
record ObservedActions(
    ClusterState now, ClusterState before, Set<String> written, Set<String> asked) {
  private static final String PHASE = "phase";
  private static final Set<ExpectedAction> MOVES =
      Set.of(
          ExpectedAction.ATTACH,
          ExpectedAction.DETACH,
          ExpectedAction.FORCE_DETACH,
          ExpectedAction.UNMOUNT);
  private static final String SPEC = "spec";
  private static final String STATUS = "status";

  /**
   * Returns whether the announced step was taken: the object was written and has the announced
   * state.
   */
  boolean isDone(Explanation one) {
    String target = one.nextStep().target();
    return switch (one.nextStep().action()) {
      case ATTACH -> isMoved(target, false);
      case DETACH, FORCE_DETACH -> isMoved(target, true);
      case CREATE_CLAIM ->
          now.find(Kind.CLAIM, ObjectKey.of(one.subject().key().namespace(), target)).isPresent();
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
          isDoneToObject(one);
      case GROW_FILE_SYSTEM, MODIFY, NONE, REGISTER, SCHEDULE, SCHEDULE_ELSEWHERE, UNMOUNT ->
          throw noRule(one);
    };
  }

  /**
   * Rejects actions that belong to other actors or objects; an explanation must not assign them to
   * the controller.
   */
  private static IllegalArgumentException noRule(Explanation one) {
    return new IllegalArgumentException(
        "not the controller's: " + one.subject() + " " + one.nextStep());
  }

  private boolean isDoneToObject(Explanation one) {
    Kind<?> kind = one.subject().kind();
    if (!kind.equals(Kind.CLAIM) && !kind.equals(Kind.VOLUME)) {
      throw noRule(one);
    }
    Optional<JsonObject> was = before.find(kind, one.subject().key());
    Optional<JsonObject> is =
        now.find(kind, one.subject().key())
            .filter(object ->
                was.filter(o -> ClusterState.uid(o).equals(ClusterState.uid(object))).isPresent());
    if (was.isEmpty()) {
      throw new IllegalArgumentException("no such object before: " + one.subject());
    }
    if (is.isEmpty()) {
      return true; // deleted or replaced after the step
    }
    return kind.equals(Kind.CLAIM)
        ? isDone(one, was.get(), is.get())
        : isDoneToVolume(one, was.get(), is.get());
  }

  /**
   * Returns whether the VolumeAttachment appeared or disappeared. An inline volume's attachment
   * does not name the volume; without a driver the node status is written instead.
   */
  private boolean isMoved(String volume, boolean away) {
    Map<ObjectKey, String> then = attachmentsOf(before, volume);
    Map<ObjectKey, String> here = attachmentsOf(now, volume);
    if (then.isEmpty() && here.isEmpty()) {
      return written.contains(Kind.NODE.plural()) || written.contains(Kind.ATTACHMENT.plural());
    }
    return away
        ? then.entrySet().stream().anyMatch(one -> !one.getValue().equals(here.get(one.getKey())))
        : here.keySet().stream().anyMatch(one -> !then.containsKey(one));
  }

  private static Map<ObjectKey, String> attachmentsOf(ClusterState traces, String volume) {
    Map<ObjectKey, String> found = new HashMap<>();
    traces
        .all(Kind.ATTACHMENT)
        .forEach((key, object) -> {
          if (volumeOf(object).equals(volume)) {
            found.put(key, ClusterState.essence(Kind.ATTACHMENT, object));
          }
        });
    return found;
  }

  private static String volumeOf(JsonObject attachment) {
    return text(attachment, SPEC, "source", "persistentVolumeName");
  }

  private boolean isDone(Explanation one, JsonObject was, JsonObject claim) {
    String target = one.nextStep().target();
    boolean wrote = wrote(Kind.CLAIM, one.subject().key().name());
    return switch (one.nextStep().action()) {
      case BIND ->
          (wrote || wrote(Kind.VOLUME, target)) && text(claim, SPEC, "volumeName").equals(target);
      case SET_CLASS -> wrote && text(claim, SPEC, "storageClassName").equals(target);
      case SET_PHASE -> wrote && text(claim, STATUS, PHASE).equals(target);
      case HAND_OVER, SET_PROVISIONER ->
          wrote
              && Stream.of("storage-provisioner", "storage-resizer")
                  .anyMatch(what ->
                      text(claim, "metadata", "annotations", "volume.kubernetes.io/" + what)
                          .equals(target));
      case RESELECT ->
          wrote
              && !text(claim, "metadata", "annotations", "volume.kubernetes.io/selected-node")
                  .equals(target);
      case MARK_LOST -> wrote && text(claim, STATUS, PHASE).equals("Lost");
      case PROVISION ->
          now.find(Kind.VOLUME, ObjectKey.cluster("pvc-" + ClusterState.uid(claim))).isPresent()
              || emitted(was, "ProvisioningFailed");
      case GROW ->
          wrote
              || wrote(Kind.VOLUME, text(claim, SPEC, "volumeName"))
              || emitted(was, "VolumeResizeFailed");
      case RELEASE -> wrote && !ClusterState.finalizers(claim).contains("pvc-protection");
      case REQUEST_NODE_EXPANSION -> wrote;
      case AWAIT_VOLUME -> wrote && text(claim, STATUS, PHASE).equals("Bound");
      default -> throw noRule(one);
    };
  }

  private boolean isDoneToVolume(Explanation one, JsonObject was, JsonObject volume) {
    String target = one.nextStep().target();
    boolean wrote = wrote(Kind.VOLUME, one.subject().key().name());
    return switch (one.nextStep().action()) {
      case BIND ->
          (wrote || wrote(Kind.CLAIM, target.substring(target.indexOf('/') + 1)))
              && ClusterState.claimOf(volume).equals(target);
      case SET_PHASE -> wrote && !text(volume, STATUS, PHASE).equals(text(was, STATUS, PHASE));
      case UNBIND -> wrote && !ClusterState.essence(Kind.VOLUME, volume).equals(essenceOf(was));
      case DELETE -> // each attempt reads the volume first, and the same failure emits no further
          // event
          asked.contains(Kind.VOLUME.plural() + "/" + one.subject().key().name())
              || wrote && text(volume, STATUS, PHASE).equals("Failed")
              || wrote && !text(volume, "metadata", "deletionTimestamp").isEmpty()
              || emitted(was, "VolumeFailedDelete")
              || emitted(was, "VolumeDelete");
      case RECYCLE -> wrote || written.contains(Kind.POD.plural());
      case ADD_FINALIZER -> wrote;
      case RELEASE -> wrote && !ClusterState.finalizers(volume).contains("pv-protection");
      case CLEAR_CLAIM_REF -> wrote && !ClusterState.claimOf(volume).equals(target);
      default -> throw noRule(one);
    };
  }

  /** Returns whether the volume was bound meanwhile, as announced. */
  private boolean isNew(String volume, Set<String> known) {
    ObjectKey key = ObjectKey.cluster(volume);
    return now.find(Kind.VOLUME, key)
        .filter(object -> sides(Kind.VOLUME, key, object).anyMatch(known::contains))
        .isPresent();
  }

  private static String essenceOf(JsonObject volume) {
    return ClusterState.essence(Kind.VOLUME, volume);
  }

  private boolean wrote(Kind<?> kind, String name) {
    return written.contains(kind.plural() + "/" + name);
  }

  private boolean emitted(JsonObject object, String reason) {
    return now.eventCount(object, reason) > before.eventCount(object, reason);
  }

  /**
   * Returns changes of claims, volumes and attachments that no explanation announced, neither for
   * the object nor for its counterpart.
   */
  List<String> unannounced(List<Explanation> explanations) {
    Set<String> known = new HashSet<>();
    Set<String> moving = new HashSet<>();
    for (Explanation one : explanations) {
      if (MOVES.contains(one.nextStep().action())) {
        moving.add(one.nextStep().target()); // any actor: one continues what another ends
      }
      if (one.nextStep().actor() != StepActor.CONTROLLER) {
        continue;
      }
      known.add(one.subject().kind().plural() + "/" + one.subject().key());
      if (one.nextStep().action() == ExpectedAction.CREATE_CLAIM) {
        known.add(
            Kind.CLAIM.plural()
                + "/"
                + one.subject().key().namespace()
                + "/"
                + one.nextStep().target());
      }
      if (one.nextStep().action() == ExpectedAction.BIND) {
        known.add(
            (one.subject().kind().equals(Kind.CLAIM) ? Kind.VOLUME : Kind.CLAIM).plural()
                + "/"
                + one.nextStep().target());
      }
    }
    List<String> unannounced = new ArrayList<>();
    for (Kind<?> kind : List.of(Kind.CLAIM, Kind.VOLUME)) {
      before
          .all(kind)
          .forEach((key, was) -> {
            String is = now.find(kind, key).map(o -> ClusterState.essence(kind, o)).orElse("gone");
            if (!is.equals(ClusterState.essence(kind, was))
                && sides(kind, key, was).noneMatch(known::contains)) {
              unannounced.add(
                  kind + " " + key + ": " + ClusterState.essence(kind, was) + " -> " + is);
            }
          });
    }
    attachments(moving, known, unannounced);
    return unannounced;
  }

  /** Returns the object and its previous and current counterparts. */
  private Stream<String> sides(Kind<?> kind, ObjectKey key, JsonObject was) {
    Stream<String> others =
        Stream.of(Optional.of(was), now.find(kind, key))
            .flatMap(Optional::stream)
            .map(object ->
                kind.equals(Kind.CLAIM)
                    ? Kind.VOLUME.plural() + "/" + text(object, SPEC, "volumeName")
                    : Kind.CLAIM.plural() + "/" + ClusterState.claimOf(object));
    return Stream.concat(Stream.of(kind.plural() + "/" + key), others);
  }

  private void attachments(Set<String> moving, Set<String> known, List<String> unannounced) {
    Set<ObjectKey> keys = new HashSet<>(before.all(Kind.ATTACHMENT).keySet());
    keys.addAll(now.all(Kind.ATTACHMENT).keySet());
    for (ObjectKey key : keys) {
      Optional<JsonObject> was = before.find(Kind.ATTACHMENT, key);
      Optional<JsonObject> is = now.find(Kind.ATTACHMENT, key);
      String volume = volumeOf(is.or(() -> was).orElseThrow());
      String from = was.map(o -> ClusterState.essence(Kind.ATTACHMENT, o)).orElse("none");
      String to = is.map(o -> ClusterState.essence(Kind.ATTACHMENT, o)).orElse("gone");
      boolean wentOn = from.endsWith("leaving") && to.equals("gone"); // by the driver
      boolean inline =
          volume.isEmpty() && !moving.isEmpty(); // its attachment does not name the volume
      if (!from.equals(to)
          && !wentOn
          && !inline
          && !moving.contains(volume)
          && !isNew(volume, known)) {
        unannounced.add("attachment of " + volume + ": " + from + " -> " + to);
      }
    }
  }
}
