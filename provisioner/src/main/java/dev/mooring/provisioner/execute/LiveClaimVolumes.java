package dev.mooring.provisioner.execute;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.model.Claim;
import dev.mooring.model.Node;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.storage.FullClaimReader;
import dev.mooring.storage.SelectedNodeReader;
import dev.mooring.storage.VolumeService;
import java.util.Optional;
import java.util.Set;

/**
 * Reads a claim live before its volume is created, because caches drop most labels and annotations
 * and the volume may depend on any of them. Also reads the selected node if the storage needs it.
 * Thread-safe.
 */
public record LiveClaimVolumes(VolumeService service, LiveReader reader) implements VolumeService {
  @Override
  public Set<String> provisionerNames() {
    return service.provisionerNames();
  }

  @Override
  public Set<String> inheritedNames() {
    return service.inheritedNames();
  }

  @Override
  public boolean isReady() {
    return service.isReady();
  }

  @Override
  public boolean supportsBlockVolumes() {
    return service.supportsBlockVolumes();
  }

  @Override
  public boolean needsFullClaims(StorageClass storageClass) {
    return service.needsFullClaims(storageClass);
  }

  @Override
  public boolean needsNodes() {
    return service.needsNodes();
  }

  @Override
  public Plan plan(Order order) throws InterruptedException {
    if (!service.needsFullClaims(order.storageClass())) {
      return planWithNode(order);
    }
    Claim claim = order.claim();
    return switch (FullClaimReader.read(claim, reader)) {
      case ReadResult.Found<Claim>(Claim fullClaim) -> planWithNode(order.withClaim(fullClaim));
      case ReadResult.Failed<Claim>(String message) ->
          new Plan.Unknown("claim " + claim.key() + " could not be read: " + message);
      // continues a started creation, so that the volume is found and rolled back
      case ReadResult.Absent<Claim> _ -> planWithNode(order);
    };
  }

  private Plan planWithNode(Order order) throws InterruptedException {
    String name = order.selectedNode();
    if (name == null || !service.needsNodes()) {
      return service.plan(order);
    }
    return switch (SelectedNodeReader.read(name, reader)) {
      case ReadResult.Found<Node>(Node node) -> service.plan(order.withNode(node));
      case ReadResult.Failed<Node>(String message) ->
          new Plan.Unknown("node " + name + " could not be read: " + message);
      // the storage may still have the volume of an earlier call
      case ReadResult.Absent<Node> _ -> service.plan(order);
    };
  }

  @Override
  public void forget(Uid claim) {
    service.forget(claim);
  }

  @Override
  public String sourceKind(Uid claim) {
    return service.sourceKind(claim);
  }

  @Override
  public Optional<DestroyResult> checkService(Volume volume) {
    return service.checkService(volume);
  }

  @Override
  public DestroyPlan planDestruction(Volume volume) throws InterruptedException {
    return service.planDestruction(volume);
  }
}
