package dev.mooring.it.sim;

import static dev.mooring.it.sim.FinalState.verify;

import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a CSI driver must never be asked for, whatever else happens: looked at when it is asked. */
final class CsiChecks {
  private final SimServer server;
  private final Set<String> given = new HashSet<>(); // others' volumes that a living claim got

  CsiChecks(SimServer server) {
    this.server = server;
  }

  /** A volume was written: whose it is may be new. */
  void written(Volume volume) {
    ClaimRef ref = volume.claimRef();
    Claim claim = ref == null ? null : server.find(Kind.CLAIM, ref.claim());
    if (claim != null && claim.meta().uid().equals(ref.uid()) && !claim.meta().isBeingDeleted()) {
      given.add(volume.source().attribute("volumeHandle"));
    }
  }

  /** What was reserved for a claim that had gone is known for that by nobody any more. */
  void allReserved() {
    server.all(Kind.VOLUME).stream()
        .filter(volume -> volume.claimRef() != null)
        .forEach(volume -> given.add(volume.source().attribute("volumeHandle")));
  }

  /** Nothing is made for nobody. */
  void making(String name) {
    verify(
        server.all(Kind.CLAIM).stream().anyMatch(c -> name.equals("pvc-" + c.meta().uid())),
        name + " is made for a claim that is gone");
  }

  private @Nullable Volume volumeOf(CsiStorage.Item item) {
    return server.all(Kind.VOLUME).stream()
        .filter(v -> v.source().attribute("volumeHandle").equals(item.id))
        .findFirst()
        .orElse(null);
  }

  /** Data goes only when the claim is gone that has it, and others' only after one had it. */
  void destroying(CsiStorage.Item item) {
    verify(!item.isForeign() || given.contains(item.id), item + " is somebody else's");
    Volume volume = volumeOf(item);
    ClaimRef ref = volume == null ? null : volume.claimRef();
    Claim claim = ref == null ? null : server.find(Kind.CLAIM, ref.claim());
    boolean used =
        claim != null
            && claim.meta().uid().equals(ref.uid())
            && claim.volumeName().equals(volume.meta().name());
    verify(!used, item + " is destroyed under " + claim);
  }

  private List<Attachment> attachments(CsiStorage.Item item, String nodeId) {
    return server.all(Kind.ATTACHMENT).stream()
        .filter(a -> nodeId.equals("id-" + a.nodeName()))
        .filter(a -> {
          Volume volume = server.find(Kind.VOLUME, ObjectKey.cluster(a.volumeName()));
          return volume != null && volume.source().attribute("volumeHandle").equals(item.id);
        })
        .toList();
  }

  /** It is published where somebody asks for that only. */
  void publishing(CsiStorage.Item item, String nodeId) {
    verify(
        !attachments(item, nodeId).isEmpty(),
        item + " is published on " + nodeId + " for no attachment");
  }

  /** It is taken away where nobody wants it only. */
  void unpublishing(CsiStorage.Item item, String nodeId) {
    verify(
        attachments(item, nodeId).stream()
            .allMatch(a -> a.meta().isBeingDeleted() || !a.attached()),
        item + " is taken from " + nodeId + ", where it is wanted");
  }
}
