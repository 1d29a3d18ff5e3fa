package dev.mooring.manager.danger;

import dev.mooring.forecast.ClusterSlice;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Resource;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.storage.decide.VolumeIdentity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Index of the objects of a cluster. Selects the input of a search. Thread-safe. */
public final class ClusterIndex {
  private static final int MAX_TWINS = 3;

  // three acts cannot delete the claim and then each of the four pods
  private static final int MAX_PODS = DangerSearch.MAX_ACTS;

  private final ClusterContents objects;
  private final Map<ObjectKey, Claim> claims;
  private final Map<ObjectKey, Volume> volumes;
  private final Map<ObjectKey, StorageClass> classes;
  private final Map<String, List<Volume>> volumesByIdentity = new HashMap<>();
  private final Map<ObjectKey, List<Pod>> podsByClaim = new HashMap<>();

  public ClusterIndex(ClusterContents objects) {
    this.objects = objects;
    this.claims = byKey(objects.claims());
    this.volumes = byKey(objects.volumes());
    this.classes = byKey(objects.classes());
    for (Volume volume : objects.volumes()) {
      VolumeIdentity.of(volume)
          .ifPresent(
              id -> volumesByIdentity.computeIfAbsent(id, _ -> new ArrayList<>()).add(volume));
    }
    for (Pod pod : objects.pods()) {
      for (String name : Set.copyOf(pod.claims())) {
        podsByClaim
            .computeIfAbsent(ObjectKey.of(pod.key().namespace(), name), _ -> new ArrayList<>())
            .add(pod);
      }
    }
  }

  // manifests may contain an object twice; the last one counts
  private static <T extends Resource> Map<ObjectKey, T> byKey(List<T> objects) {
    Map<ObjectKey, T> byKey = new HashMap<>();
    objects.forEach(object -> byKey.put(object.key(), object));
    return byKey;
  }

  public List<Claim> claims() {
    return claims.values().stream().sorted(Comparator.comparing(Claim::key)).toList();
  }

  public Optional<Claim> claim(ObjectKey key) {
    return Optional.ofNullable(claims.get(key));
  }

  /** Returns the volume with the data of the claim; empty if the claim has none. */
  public Optional<Volume> volumeOf(Claim claim) {
    return Optional.ofNullable(volumes.get(ObjectKey.cluster(claim.volumeName())))
        .filter(volume -> {
          ClaimRef ref = volume.claimRef();
          return ref != null && ref.uid().equals(claim.meta().uid());
        });
  }

  public SearchInput searchInput(Claim claim, Volume volume) {
    List<Volume> sameStorage = new ArrayList<>(List.of(volume));
    VolumeIdentity.of(volume).map(volumesByIdentity::get).stream()
        .flatMap(List::stream)
        .filter(other -> VolumeIdentity.areTwins(volume, other))
        .sorted(Comparator.comparing(Volume::key))
        .limit(MAX_TWINS)
        .forEach(sameStorage::add);
    Map<ObjectKey, Claim> users = new TreeMap<>();
    users.put(claim.key(), claim);
    for (Volume twin : sameStorage) {
      ClaimRef ref = twin.claimRef();
      Claim user = ref == null ? null : claims.get(ref.claim());
      if (user != null) {
        users.put(user.key(), user);
      }
    }
    ClusterSlice slice = ClusterSlice.EMPTY;
    List<Pod> pods = new ArrayList<>();
    for (Claim user : users.values()) {
      slice = slice.with(user);
      pods.addAll(choose(podsByClaim.getOrDefault(user.key(), List.of())));
    }
    for (Volume twin : sameStorage) {
      slice = slice.with(twin);
    }
    for (Pod pod : pods) {
      slice = slice.with(pod);
    }
    for (StorageClass storageClass : classesOf(users.values(), sameStorage)) {
      slice = slice.with(storageClass);
    }
    return collect(claim.key(), slice);
  }

  private List<StorageClass> classesOf(Iterable<Claim> users, List<Volume> sameStorage) {
    Set<String> names = new LinkedHashSet<>();
    users.forEach(user -> names.add(user.className()));
    sameStorage.forEach(volume -> names.add(volume.storageClass()));
    return names.stream()
        .map(name -> classes.get(ObjectKey.cluster(name)))
        .filter(found -> found != null)
        .toList();
  }

  // so many pods of each workload that a sequence of acts cannot end them one by one
  private List<Pod> choose(List<Pod> candidates) {
    Map<String, List<Pod>> byWorkload = new LinkedHashMap<>();
    candidates.stream()
        .sorted(Comparator.comparing(Pod::key))
        .forEach(pod ->
            byWorkload
                .computeIfAbsent(
                    workloadOf(pod).map(w -> w.uid().toString()).orElse(""), _ -> new ArrayList<>())
                .add(pod));
    return byWorkload.values().stream()
        .limit(MAX_PODS + 1L)
        .flatMap(ClusterIndex::chooseOfWorkload)
        .toList();
  }

  private static Stream<Pod> chooseOfWorkload(List<Pod> pods) {
    Map<String, List<Pod>> byNode = new TreeMap<>();
    pods.forEach(pod -> byNode.computeIfAbsent(pod.nodeName(), _ -> new ArrayList<>()).add(pod));
    int perNode = byNode.size() > MAX_PODS ? 1 : MAX_PODS;
    return byNode.values().stream()
        .limit(MAX_PODS + 1L)
        .flatMap(ofNode -> ofNode.stream().limit(perNode));
  }

  private Optional<OwningWorkload> workloadOf(Pod pod) {
    return objects.owners().getOrDefault(pod.meta().uid(), Set.of()).stream()
        .map(objects.workloads()::get)
        .filter(workload -> workload != null)
        .findFirst();
  }

  private SearchInput collect(ObjectKey claim, ClusterSlice slice) {
    Map<Uid, OwningWorkload> workloads = new LinkedHashMap<>();
    Map<ObjectKey, Uid> podOwners = new HashMap<>();
    Map<ObjectKey, ObjectKey> templateClaims = new HashMap<>();
    Set<String> nodes = new LinkedHashSet<>();
    for (Pod pod : slice.pods().values()) {
      nodes.add(pod.nodeName());
      workloadOf(pod)
          .ifPresent(workload -> {
            workloads.put(workload.uid(), workload);
            podOwners.put(pod.key(), workload.uid());
            if (workload.keepsPodNames()) {
              findTemplateClaims(pod, slice).forEach(key -> templateClaims.put(key, pod.key()));
            }
          });
    }
    nodes.remove("");
    objects.nodes().stream()
        .filter(node -> !nodes.contains(node))
        .findFirst()
        .ifPresent(nodes::add);
    return new SearchInput(
        claim,
        slice,
        withOwnersOf(slice, workloads),
        podOwners,
        claimOwners(slice),
        templateClaims,
        List.copyOf(nodes));
  }

  private static List<ObjectKey> findTemplateClaims(Pod pod, ClusterSlice slice) {
    return pod.claims().stream()
        .filter(name -> name.endsWith("-" + pod.meta().name()))
        .map(name -> ObjectKey.of(pod.key().namespace(), name))
        .filter(slice.claims()::containsKey)
        .toList();
  }

  private List<OwningWorkload> withOwnersOf(
      ClusterSlice slice, Map<Uid, OwningWorkload> workloads) {
    claimOwners(slice)
        .values()
        .forEach(owners ->
            owners.forEach(owner -> {
              OwningWorkload workload = objects.workloads().get(owner);
              if (workload != null) {
                workloads.put(workload.uid(), workload);
              }
            }));
    return workloads.values().stream().sorted(Comparator.comparing(OwningWorkload::key)).toList();
  }

  // an owner that was not read is kept, so its claims are kept
  private Map<ObjectKey, Set<Uid>> claimOwners(ClusterSlice slice) {
    Map<ObjectKey, Set<Uid>> owners = new HashMap<>();
    for (Claim claim : slice.claims().values()) {
      Set<Uid> ofClaim = objects.owners().getOrDefault(claim.meta().uid(), Set.of());
      boolean areKnown =
          !ofClaim.isEmpty()
              && ofClaim.stream()
                  .allMatch(owner ->
                      objects.workloads().containsKey(owner)
                          || slice.pods().values().stream()
                              .anyMatch(pod -> pod.meta().uid().equals(owner)));
      if (areKnown) {
        owners.put(
            claim.key(),
            ofClaim.stream()
                .map(owner ->
                    objects.workloads().containsKey(owner)
                        ? objects.workloads().get(owner).uid()
                        : owner)
                .collect(Collectors.toSet()));
      }
    }
    return owners;
  }
}
