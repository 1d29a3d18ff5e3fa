package dev.mooring.manager.danger;

import dev.mooring.forecast.ClusterSlice;
import dev.mooring.forecast.ObjectEdits;
import dev.mooring.manager.danger.DangerAct.ActKind;
import dev.mooring.manager.danger.DangerAct.RestoreStyle;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Resource;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

// an impossible act changes nothing
final class ActEffect {
  private static final String BIND_COMPLETED = "pv.kubernetes.io/bind-completed";
  private static final String BOUND_BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";
  private static final String DEFAULT_CLASS = "is-default-class";

  private final SearchInput input;
  private final long now;

  ActEffect(SearchInput input, long now) {
    this.input = input;
    this.now = now;
  }

  long now() {
    return now;
  }

  DangerState apply(DangerState state, DangerAct act) {
    return switch (act) {
      case DangerAct.DeleteObject(ActKind kind, ObjectKey key) -> delete(state, kind, key);
      case DangerAct.DeleteWorkload(OwningWorkload workload) ->
          state.withEndedWorkloads(with(state.endedWorkloads(), workload.uid()));
      case DangerAct.DeleteNamespace(String name) ->
          state.withEndingNamespaces(with(state.endingNamespaces(), name));
      case DangerAct.SetPolicy(String name, ReclaimPolicy policy) ->
          state
              .objects()
              .volume(name)
              .map(volume ->
                  state.with(state.objects().with(ObjectEdits.withPolicy(volume, policy))))
              .orElse(state);
      case DangerAct.LoseNode(String name) -> state.withLostNodes(with(state.lostNodes(), name));
      case DangerAct.RestoreNode(String name) ->
          state.withLostNodes(without(state.lostNodes(), name));
      case DangerAct.RemoveFinalizer(ActKind kind, ObjectKey key, String finalizer) ->
          removeFinalizer(state, kind, key, finalizer);
      case DangerAct.UpgradeClass(String name, ReclaimPolicy policy) ->
          state
              .objects()
              .storageClass(name)
              .map(old -> state.with(state.objects().with(upgrade(old, policy))))
              .orElse(state);
      case DangerAct.RestoreObject(ActKind kind, ObjectKey key, RestoreStyle style) ->
          kind == ActKind.CLAIM
              ? restoreClaim(state, key, style)
              : restoreVolume(state, key, style);
    };
  }

  private static <T> Set<T> with(Set<T> set, T element) {
    Set<T> changed = new HashSet<>(set);
    changed.add(element);
    return changed;
  }

  private static <T> Set<T> without(Set<T> set, T element) {
    Set<T> changed = new HashSet<>(set);
    changed.remove(element);
    return changed;
  }

  private static Optional<? extends Resource> find(
      ClusterSlice objects, ActKind kind, ObjectKey key) {
    return Optional.ofNullable(
        switch (kind) {
          case POD -> objects.pods().get(key);
          case CLAIM -> objects.claims().get(key);
          case VOLUME -> objects.volumes().get(key);
          case CLASS -> objects.classes().get(key);
        });
  }

  private DangerState delete(DangerState state, ActKind kind, ObjectKey key) {
    return find(state.objects(), kind, key)
        .map(object -> state.with(markDeleted(state.objects(), object)))
        .orElse(state);
  }

  // the next step of Kubernetes removes an object without finalizers
  ClusterSlice markDeleted(ClusterSlice objects, Resource object) {
    if (object.meta().isBeingDeleted()) {
      return objects;
    }
    Meta meta = ObjectEdits.asDeleted(object.meta(), now);
    return switch (object) {
      case Claim claim -> objects.with(claim.withMeta(meta));
      case Volume volume -> objects.with(ObjectEdits.withMeta(volume, meta));
      case Pod pod -> objects.with(ObjectEdits.withMeta(pod, meta));
      default -> objects.without(object);
    };
  }

  private static DangerState removeFinalizer(
      DangerState state, ActKind kind, ObjectKey key, String finalizer) {
    ClusterSlice objects = state.objects();
    return find(objects, kind, key)
        .map(object -> {
          Meta meta = object.meta().withFinalizers(object.meta().finalizersWithout(finalizer));
          return switch (object) {
            case Claim claim -> state.with(objects.with(claim.withMeta(meta)));
            case Volume volume -> state.with(objects.with(ObjectEdits.withMeta(volume, meta)));
            default -> state;
          };
        })
        .orElse(state);
  }

  private static StorageClass upgrade(StorageClass old, ReclaimPolicy policy) {
    Map<String, String> annotations = new HashMap<>(old.meta().annotations());
    annotations.keySet().removeIf(name -> !name.endsWith(DEFAULT_CLASS));
    return ObjectEdits.withPolicy(
        old, ObjectEdits.withAnnotations(old.meta(), annotations), policy);
  }

  private DangerState restoreClaim(DangerState state, ObjectKey key, RestoreStyle style) {
    Claim saved = input.objects().claims().get(key);
    boolean isNamespaceFree =
        !state.endingNamespaces().contains(key.namespace()) || isEmpty(state, key.namespace());
    if (saved == null || state.objects().claims().containsKey(key) || !isNamespaceFree) {
      return state;
    }
    Meta meta = restored(saved.meta(), style);
    Claim claim = ObjectEdits.withPhase(saved.withMeta(meta), ClaimPhase.PENDING);
    return state
        .withEndingNamespaces(without(state.endingNamespaces(), key.namespace()))
        .with(state.objects().with(claim));
  }

  private static boolean isEmpty(DangerState state, String namespace) {
    return state.objects().claims().keySet().stream()
            .noneMatch(key -> key.namespace().equals(namespace))
        && state.objects().pods().keySet().stream()
            .noneMatch(key -> key.namespace().equals(namespace));
  }

  private DangerState restoreVolume(DangerState state, ObjectKey key, RestoreStyle style) {
    Volume saved = input.objects().volumes().get(key);
    if (saved == null || state.objects().volumes().containsKey(key)) {
      return state;
    }
    Meta meta = restored(saved.meta(), style);
    ClaimRef ref = saved.claimRef();
    ClaimRef restoredRef =
        ref != null && style == RestoreStyle.UNBOUND ? new ClaimRef(ref.claim(), Uid.NONE) : ref;
    Volume volume =
        ObjectEdits.withPhase(
            ObjectEdits.withClaimRef(ObjectEdits.withMeta(saved, meta), restoredRef),
            VolumePhase.UNSET);
    return state
        .withNeverBound(with(state.neverBound(), meta.uid()))
        .with(state.objects().with(volume));
  }

  private Meta restored(Meta saved, RestoreStyle style) {
    Map<String, String> annotations = new HashMap<>(saved.annotations());
    if (style == RestoreStyle.UNBOUND) {
      annotations.remove(BIND_COMPLETED);
      annotations.remove(BOUND_BY_CONTROLLER);
    }
    return ObjectEdits.asCreated(
        ObjectEdits.withAnnotations(saved, annotations), Uid.of(saved.uid() + "-restored"), now);
  }
}
