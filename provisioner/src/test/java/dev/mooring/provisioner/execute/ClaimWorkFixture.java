package dev.mooring.provisioner.execute;

import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.provisioner.FakeStorage;
import dev.mooring.provisioner.NotedCluster;
import dev.mooring.provisioner.ProvisionedClaims;
import dev.mooring.reconcile.Outcome;
import dev.mooring.storage.SavedVolumes;
import dev.mooring.storage.VolumeService.ProvisionResult;
import dev.mooring.storage.VolumeService.State;
import dev.mooring.storage.decide.DriverNames;
import dev.mooring.testkit.SimTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Claims that are worked on, before a storage and a server that answer as they are told. */
abstract class ClaimWorkFixture {
  static final Uid U = Uid.of("u");
  final SimTime time = new SimTime(true);
  final FakeStorage storage = new FakeStorage();
  final NotedCluster server = new NotedCluster(storage.asked);
  final ProvisionStats stats = new ProvisionStats(time);
  final SavedVolumes saved = new SavedVolumes();
  final ClaimWork work =
      new ClaimWork(
          storage,
          server.ports(time),
          new ProvisionListeners(new ProvisionReporter(server.events(), "ours"), stats, saved),
          Duration.ofMinutes(5),
          DriverNames.OF_VOLUMES);
  final Claim claim = ProvisionedClaims.noted(Map.of());

  /** The claim is so, to the server as to the cache. */
  Outcome provision(Claim wanted) throws InterruptedException {
    return provisionCached(server.put(Kind.CLAIM, wanted));
  }

  /** The cache has it so, whatever the server has. */
  Outcome provisionCached(Claim cached) throws InterruptedException {
    return work.provision(cached, ProvisionedClaims.storageClass("ours", false));
  }

  Outcome settle(Claim claim) throws InterruptedException {
    return work.settle(server.put(Kind.CLAIM, claim));
  }

  /** The volume has been saved, by an attempt whose answer was lost. */
  void savedBefore() {
    Volume like =
        ProvisionedClaims.volume(ReclaimPolicy.DELETE, VolumePhase.PENDING, List.of(), false);
    server.put(Kind.VOLUME, ProvisionedClaims.volumeOf("pvc-u", like));
  }

  Volume made() {
    return server.get(Kind.VOLUME, "", "pvc-u");
  }

  /** This process notes the claim, and the storage refuses: nothing is in doubt. */
  void begin(Map<String, String> annotations) throws InterruptedException {
    storage.results.add(failed(State.ENDED));
    provision(ProvisionedClaims.claim(annotations, ""));
    storage.asked.clear();
  }

  static ProvisionResult failed(State state) {
    return new ProvisionResult.Failed(state, false, "because");
  }
}
