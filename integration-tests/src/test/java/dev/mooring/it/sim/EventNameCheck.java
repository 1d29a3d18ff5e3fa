package dev.mooring.it.sim;

import static dev.mooring.it.sim.FinalState.verify;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Volume;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Invariant: no event names objects of another namespace. An event may name a volume that was ever
 * free, or that a claim of the event's namespace ever named: the emitter's cache may be that old.
 */
final class EventNameCheck {
  private final SimServer server;
  private final Map<String, Set<String>> volumes = new HashMap<>(); // names by namespace
  private final Set<String> free = new HashSet<>(); // names of volumes
  private final Set<ObjectKey> owned = new HashSet<>(); // claims and pods

  EventNameCheck(SimServer server) {
    this.server = server;
  }

  /** Records the objects that exist, and the volumes whose names each namespace may know. */
  void observe() {
    for (Volume volume : server.list(Kind.VOLUME)) {
      ClaimRef ref = volume.claimRef();
      if (ref == null || ref.isEmpty()) {
        free.add(volume.meta().name());
      } else {
        know(ref.claim().namespace(), volume.meta().name());
      }
    }
    for (Claim claim : server.list(Kind.CLAIM)) {
      owned.add(claim.key());
      know(claim.key().namespace(), claim.volumeName());
    }
    for (Pod pod : server.list(Kind.POD)) {
      owned.add(pod.key());
    }
  }

  private void know(String namespace, String volume) {
    volumes.computeIfAbsent(namespace, n -> new HashSet<>()).add(volume);
  }

  /** Fails if the event's note names an object that its namespace may not know. */
  void check(ClusterEvent event) {
    observe();
    String namespace = event.subject().key().namespace();
    boolean isOwnWords =
        event
            .subject()
            .name()
            .equals(CsiActors.FOREIGN_COPY); // this claim's events name its source
    if (namespace.isEmpty() || isOwnWords) {
      return; // events of cluster-scoped objects are for administrators
    }
    Set<String> ownVolumes = volumes.getOrDefault(namespace, Set.of());
    volumes.forEach((other, names) -> {
      for (String name : names) {
        verify(
            ownVolumes.contains(name) || free.contains(name) || !isNamedIn(event.note(), name),
            "the event of "
                + event.subject().key()
                + " names volume "
                + name
                + ": "
                + event.note());
      }
    });
    for (ObjectKey key : owned) {
      boolean isInNamespace =
          key.namespace().equals(namespace) || owned.contains(ObjectKey.of(namespace, key.name()));
      verify(
          isInNamespace || !isNamedIn(event.note(), key.name()),
          "the event of " + event.subject().key() + " names " + key + ": " + event.note());
    }
  }

  private static boolean isNamedIn(String text, String name) {
    return !name.isEmpty()
        && text.contains(name)
        && Pattern.compile(
                "(?<![a-zA-Z0-9.-])" + Pattern.quote(name) + "(?![a-zA-Z0-9-]|\\.[a-z0-9])")
            .matcher(text)
            .find();
  }
}
