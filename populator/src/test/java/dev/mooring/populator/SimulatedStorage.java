package dev.mooring.populator;

import dev.mooring.cluster.Document;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Resource;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSource;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.TestObjects;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Provisioner, binder and kubelet of a cluster whose volumes are directories. Pods of the image
 * {@code download} write the content of a URL to their volume.
 */
final class SimulatedStorage {
  static final String FILE = "content";

  private final InMemoryCluster cluster;
  private final Path root;

  SimulatedStorage(InMemoryCluster cluster, Path root) {
    this.cluster = cluster;
    this.root = root;
  }

  private <T extends Resource> List<T> list(Kind<T> kind) {
    List<T> objects = new ArrayList<>();
    cluster.informers().of(kind).snapshot().objects().forEach(objects::add);
    return objects;
  }

  List<Volume> volumes() {
    return list(Kind.VOLUME);
  }

  List<Claim> claims() {
    return list(Kind.CLAIM);
  }

  List<Pod> pods() {
    return list(Kind.POD);
  }

  Optional<Path> directoryOf(ObjectKey claim) {
    return cluster
        .informers()
        .of(Kind.CLAIM)
        .get(claim)
        .flatMap(c -> cluster.informers().of(Kind.VOLUME).get(ObjectKey.cluster(c.volumeName())))
        .map(volume -> Path.of(volume.source().attribute("path")));
  }

  /** Does everything that is due. Returns whether anything was. */
  boolean act() throws IOException {
    boolean hasActed = false;
    for (Claim claim : claims()) {
      hasActed |= bind(claim);
    }
    for (Volume volume : volumes()) {
      hasActed |= reclaim(volume);
    }
    for (Pod pod : pods()) {
      hasActed |= run(pod);
    }
    return hasActed;
  }

  private boolean bind(Claim claim) throws IOException {
    if (claim.meta().isBeingDeleted()) {
      return false;
    }
    if (claim.phase() == ClaimPhase.BOUND) {
      boolean isLost =
          cluster
              .informers()
              .of(Kind.VOLUME)
              .get(ObjectKey.cluster(claim.volumeName()))
              .filter(volume -> isOf(volume, claim))
              .isEmpty();
      if (isLost) {
        cluster.put(Kind.CLAIM, TestObjects.like(claim).phase(ClaimPhase.LOST).build());
      }
      return isLost;
    }
    Optional<Volume> own = volumes().stream().filter(volume -> isOf(volume, claim)).findFirst();
    if (own.isEmpty() && (claim.hasDataSource() || claim.phase() == ClaimPhase.LOST)) {
      return false;
    }
    if (claim.phase() == ClaimPhase.LOST) {
      return false;
    }
    Volume volume = own.isPresent() ? own.get() : provision(claim);
    cluster.put(Kind.CLAIM, TestObjects.like(claim).boundTo(volume).build());
    return true;
  }

  private static boolean isOf(Volume volume, Claim claim) {
    ClaimRef ref = volume.claimRef();
    return ref != null && ref.uid().equals(claim.meta().uid());
  }

  private Volume provision(Claim claim) throws IOException {
    Path directory = root.resolve("pvc-" + claim.meta().uid());
    Files.createDirectories(directory);
    return cluster.put(
        Kind.VOLUME,
        TestObjects.volume("pvc-" + claim.meta().uid())
            .storageClass(claim.className())
            .source(VolumeSource.hostPath(directory.toString()))
            .claimRef(claim)
            .build());
  }

  // As the binder, also if the claim is bound to another volume.
  private boolean reclaim(Volume volume) throws IOException {
    ClaimRef ref = volume.claimRef();
    if (ref == null
        || claims().stream()
            .filter(claim -> claim.meta().uid().equals(ref.uid()))
            .anyMatch(claim ->
                claim.volumeName().isEmpty() || claim.volumeName().equals(volume.meta().name()))) {
      return false;
    }
    Path directory = Path.of(volume.source().attribute("path"));
    Files.deleteIfExists(directory.resolve(FILE));
    Files.deleteIfExists(directory);
    cluster.remove(Kind.VOLUME, volume.key());
    return true;
  }

  private boolean run(Pod pod) throws IOException {
    if (pod.isFinished()) {
      return false;
    }
    Optional<Path> directory =
        directoryOf(ObjectKey.of(pod.key().namespace(), pod.claims().getFirst()));
    if (directory.isEmpty()) {
      return false;
    }
    String phase = download(urlOf(pod), directory.get().resolve(FILE)) ? "Succeeded" : "Failed";
    cluster.patchStatus(Kind.POD, pod.key(), Document.empty().set(phase, "status", "phase"));
    return true;
  }

  private URI urlOf(Pod pod) {
    Map<String, Object> podObject =
        cluster.readWhole(Kind.POD, pod.key()).toOptional().orElseThrow();
    return URI.create(
        String.valueOf(
            firstOf(mapOf(firstOf(mapOf(podObject.get("spec")).get("containers"))).get("args"))));
  }

  private static Map<?, ?> mapOf(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? map : Map.of();
  }

  private static Object firstOf(@Nullable Object value) {
    return value instanceof List<?> list ? list.getFirst() : "";
  }

  private static boolean download(URI url, Path file) throws IOException {
    try (InputStream in = url.toURL().openStream()) {
      Files.write(file, in.readAllBytes());
      return true;
    } catch (FileNotFoundException e) {
      return false;
    }
  }
}
