package dev.mooring.manager.danger;

import dev.mooring.forecast.ClusterSlice;
import dev.mooring.forecast.ObjectEdits;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

// Next step of Kubernetes' own parts: deletions of the API server, namespaces, garbage collection,
// kubelets, evictions, and workloads that create their pods again.
final class KubernetesForecast {
  record Step(String actor, String text, DangerState after) {}

  // Their controllers remove them after the work that they protect.
  private static final List<String> TRANSIENT_FINALIZERS =
      List.of(
          "snapshot.storage.kubernetes.io/pvc-as-source-protection",
          "provisioner.storage.kubernetes.io/cloning-protection",
          "mooring.dev/volume-being-made",
          "external-attacher/");

  private static final String REPLACEMENT = "-replacement";

  private final SearchInput input;
  private final ActEffect effects;
  private final List<Function<DangerState, Optional<Step>>> parts =
      List.of(
          this::removeDeleted,
          this::endNamespaceContent,
          this::collectGarbage,
          this::evict,
          this::endPods,
          this::removeTransientFinalizers,
          this::createClaims,
          this::createPods,
          this::schedule);

  KubernetesForecast(SearchInput input, ActEffect effects) {
    this.input = input;
    this.effects = effects;
  }

  Optional<Step> next(DangerState state) {
    for (Function<DangerState, Optional<Step>> part : parts) {
      Optional<Step> step = part.apply(state);
      if (step.isPresent()) {
        return step;
      }
    }
    return Optional.empty();
  }

  private static Step step(String actor, String text, DangerState after) {
    return new Step(actor, text, after);
  }

  private Optional<Step> removeDeleted(DangerState state) {
    ClusterSlice objects = state.objects();
    return Stream.concat(objects.claims().values().stream(), objects.volumes().values().stream())
        .filter(object -> object.meta().isBeingDeleted() && object.meta().finalizers().isEmpty())
        .findFirst()
        .map(object ->
            step(
                "the API server", "removes " + title(object), state.with(objects.without(object))));
  }

  private static String title(Resource object) {
    String noun =
        switch (object) {
          case Claim _ -> "claim ";
          case Volume _ -> "volume ";
          default -> "pod ";
        };
    return noun + object.key();
  }

  private Optional<Step> endNamespaceContent(DangerState state) {
    for (OwningWorkload workload : input.workloads()) {
      if (state.endingNamespaces().contains(workload.key().namespace())
          && !state.endedWorkloads().contains(workload.uid())) {
        Set<Uid> ended = new HashSet<>(state.endedWorkloads());
        ended.add(workload.uid());
        return Optional.of(
            step(
                "the namespace controller",
                "deletes " + workload.title(),
                state.withEndedWorkloads(ended)));
      }
    }
    return namespaced(state.objects())
        .filter(object ->
            !object.meta().isBeingDeleted()
                && state.endingNamespaces().contains(object.key().namespace()))
        .findFirst()
        .map(object -> delete("the namespace controller", object, state));
  }

  private static Stream<Resource> namespaced(ClusterSlice objects) {
    return Stream.concat(objects.pods().values().stream(), objects.claims().values().stream());
  }

  private Step delete(String actor, Resource object, DangerState state) {
    return step(
        actor,
        "deletes " + title(object),
        state.with(effects.markDeleted(state.objects(), object)));
  }

  private Optional<Step> collectGarbage(DangerState state) {
    return namespaced(state.objects())
        .filter(object -> !object.meta().isBeingDeleted() && isOrphan(object, state))
        .findFirst()
        .map(object -> delete("the garbage collector", object, state));
  }

  private boolean isOrphan(Resource object, DangerState state) {
    Set<Uid> owners =
        switch (object) {
          case Pod pod -> workloadOf(pod.key()).map(w -> Set.of(w.uid())).orElse(Set.of());
          default -> input.claimOwners().getOrDefault(object.key(), Set.of());
        };
    return !owners.isEmpty() && owners.stream().noneMatch(owner -> isThere(owner, state));
  }

  private boolean isThere(Uid owner, DangerState state) {
    return input.workloads().stream()
            .anyMatch(w -> w.uid().equals(owner) && !state.endedWorkloads().contains(owner))
        || state.objects().pods().values().stream().anyMatch(pod -> pod.meta().uid().equals(owner));
  }

  private Optional<OwningWorkload> workloadOf(ObjectKey pod) {
    Uid owner = input.podOwners().get(original(pod));
    return input.workloads().stream().filter(w -> w.uid().equals(owner)).findFirst();
  }

  private static ObjectKey original(ObjectKey pod) {
    return pod.name().endsWith(REPLACEMENT)
        ? ObjectKey.of(
            pod.namespace(), pod.name().substring(0, pod.name().length() - REPLACEMENT.length()))
        : pod;
  }

  private Optional<Step> evict(DangerState state) {
    return state.objects().pods().values().stream()
        .filter(pod -> !pod.meta().isBeingDeleted() && state.lostNodes().contains(pod.nodeName()))
        .filter(pod -> workloadOf(pod.key()).filter(OwningWorkload::isDaemonSet).isEmpty())
        .findFirst()
        .map(pod -> delete("the taint manager", pod, state));
  }

  private Optional<Step> endPods(DangerState state) {
    return state.objects().pods().values().stream()
        .filter(pod -> pod.meta().isBeingDeleted() && !state.lostNodes().contains(pod.nodeName()))
        .findFirst()
        .map(pod ->
            step("the kubelet", "ends " + title(pod), state.with(state.objects().without(pod))));
  }

  private Optional<Step> removeTransientFinalizers(DangerState state) {
    ClusterSlice objects = state.objects();
    for (Claim claim : objects.claims().values()) {
      Optional<Meta> meta = withoutTransient(claim.meta());
      if (meta.isPresent()) {
        return Optional.of(
            step(
                "its controller",
                "removes a finalizer of claim " + claim.key(),
                state.with(objects.with(claim.withMeta(meta.get())))));
      }
    }
    for (Volume volume : objects.volumes().values()) {
      Optional<Meta> meta = withoutTransient(volume.meta());
      if (meta.isPresent()) {
        return Optional.of(
            step(
                "its controller",
                "removes a finalizer of volume " + volume.meta().name(),
                state.with(objects.with(ObjectEdits.withMeta(volume, meta.get())))));
      }
    }
    return Optional.empty();
  }

  private static Optional<Meta> withoutTransient(Meta meta) {
    List<String> rest = new ArrayList<>(meta.finalizers());
    boolean isChanged =
        meta.isBeingDeleted()
            && rest.removeIf(name -> TRANSIENT_FINALIZERS.stream().anyMatch(name::startsWith));
    return isChanged ? Optional.of(meta.withFinalizers(List.copyOf(rest))) : Optional.empty();
  }

  private Optional<Step> createClaims(DangerState state) {
    for (Map.Entry<ObjectKey, ObjectKey> entry : sorted(input.templateClaims())) {
      Claim saved = input.objects().claims().get(entry.getKey());
      Pod pod = state.objects().pods().get(entry.getValue());
      if (saved != null
          && pod != null
          && pod.nodeName().isEmpty()
          && isAlive(workloadOf(entry.getValue()), state)
          && !state.objects().claims().containsKey(entry.getKey())) {
        return Optional.of(
            step(
                "the StatefulSet controller",
                "creates claim " + entry.getKey() + " without data",
                state.with(state.objects().with(blank(saved)))));
      }
    }
    return Optional.empty();
  }

  private static <V> List<Map.Entry<ObjectKey, V>> sorted(Map<ObjectKey, V> map) {
    return map.entrySet().stream().sorted(Map.Entry.comparingByKey()).toList();
  }

  private Claim blank(Claim saved) {
    Meta meta =
        ObjectEdits.asCreated(
            ObjectEdits.withAnnotations(saved.meta(), Map.of()),
            Uid.of(saved.meta().uid() + "-new"),
            effects.now());
    return ObjectEdits.withPhase(
        ObjectEdits.withVolume(saved.withMeta(meta), ""), ClaimPhase.PENDING);
  }

  private boolean isAlive(Optional<OwningWorkload> workload, DangerState state) {
    return workload
        .filter(w -> !state.endedWorkloads().contains(w.uid()))
        .filter(w -> !state.endingNamespaces().contains(w.key().namespace()))
        .isPresent();
  }

  private Optional<Step> createPods(DangerState state) {
    for (ObjectKey key : input.podOwners().keySet().stream().sorted().toList()) {
      Optional<OwningWorkload> workload = workloadOf(key);
      Pod saved = input.objects().pods().get(key);
      if (saved == null || !isAlive(workload, state)) {
        continue;
      }
      boolean keepsName = workload.get().keepsPodNames();
      Pod current = state.objects().pods().get(key);
      ObjectKey replacement =
          keepsName ? key : ObjectKey.of(key.namespace(), key.name() + REPLACEMENT);
      boolean isMissing = current == null || !keepsName && current.meta().isBeingDeleted();
      if (isMissing && !state.objects().pods().containsKey(replacement)) {
        return Optional.of(
            step(
                "the controller of " + workload.get().title(),
                "creates pod " + replacement,
                state.with(state.objects().with(create(saved, replacement)))));
      }
    }
    return Optional.empty();
  }

  private Pod create(Pod saved, ObjectKey key) {
    Meta meta =
        ObjectEdits.asCreated(
            saved.meta(), Uid.of(saved.meta().uid() + REPLACEMENT), effects.now());
    Meta renamed =
        new Meta(
            key,
            meta.uid(),
            0,
            meta.created(),
            0,
            meta.labels(),
            meta.annotations(),
            meta.finalizers(),
            meta.controller());
    return ObjectEdits.onNode(saved, renamed, "");
  }

  // Schedules replacements only: why an older pod is pending is unknown.
  private Optional<Step> schedule(DangerState state) {
    Optional<String> node =
        input.nodes().stream().filter(name -> !state.lostNodes().contains(name)).findFirst();
    return node.flatMap(name ->
        state.objects().pods().values().stream()
            .filter(pod -> pod.nodeName().isEmpty() && !pod.meta().isBeingDeleted())
            .filter(pod -> pod.meta().uid().toString().endsWith(REPLACEMENT))
            .filter(pod -> areClaimsReady(pod, state))
            .findFirst()
            .map(pod ->
                step(
                    "the scheduler",
                    "assigns pod " + pod.key() + " to node " + name,
                    state.with(state.objects().with(ObjectEdits.onNode(pod, pod.meta(), name))))));
  }

  private boolean areClaimsReady(Pod pod, DangerState state) {
    for (String name : pod.claims()) {
      ObjectKey key = ObjectKey.of(pod.key().namespace(), name);
      Claim claim = state.objects().claims().get(key);
      boolean isKnown = input.objects().claims().containsKey(key);
      if (isKnown
          && (claim == null
              || claim.meta().isBeingDeleted()
              || claim.phase() != ClaimPhase.BOUND)) {
        return false;
      }
    }
    return true;
  }
}
