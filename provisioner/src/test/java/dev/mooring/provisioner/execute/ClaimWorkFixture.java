package dev.mooring.provisioner.execute;

import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.provisioner.FakeStorage;
import dev.mooring.provisioner.ProvisionedClaims;
import dev.mooring.provisioner.RecordingCluster;
import dev.mooring.provisioner.state.ClaimMemory;
import dev.mooring.reconcile.Outcome;
import dev.mooring.storage.SavedVolumes;
import dev.mooring.storage.VolumeService.ProvisionResult;
import dev.mooring.storage.VolumeService.State;
import dev.mooring.storage.decide.DriverNames;
import dev.mooring.testkit.SimTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Fixture with a scripted storage and a scripted API server. */
abstract class ClaimWorkFixture {
  static final Uid U = Uid.of("u");
  final SimTime time = new SimTime(true);
  final FakeStorage storage = new FakeStorage();
  final RecordingCluster server = new RecordingCluster(storage.requests);
  final ProvisionStats stats = new ProvisionStats(time);
  final SavedVolumes saved = new SavedVolumes();
  final ClaimMemory memory = new ClaimMemory(Duration.ofMinutes(5), 0, time);
  final ClaimWork work = createWork(memory);
  final Claim claim = ProvisionedClaims.claimWithNote(Map.of());

  ClaimWork createWork(ClaimMemory memory) {
    return new ClaimWork(
        storage,
        server.ports(time),
        new ProvisionListeners(new ProvisionReporter(server.events(), "ours"), stats, saved),
        memory,
        DriverNames.OF_VOLUMES);
  }

  /** Provisions the claim; server and cache have the same state. */
  Outcome provision(Claim claim) throws InterruptedException {
    return provisionCached(server.put(Kind.CLAIM, claim));
  }

  /** Provisions the claim as cached, whatever the server has. */
  Outcome provisionCached(Claim cached) throws InterruptedException {
    return work.provision(cached, ProvisionedClaims.storageClass("ours", false));
  }

  Outcome settle(Claim claim) throws InterruptedException {
    return work.settle(server.put(Kind.CLAIM, claim));
  }

  /** Simulates a volume that an earlier attempt saved without receiving the response. */
  void saveVolume() {
    Volume like =
        ProvisionedClaims.volume(ReclaimPolicy.DELETE, VolumePhase.PENDING, List.of(), false);
    server.put(Kind.VOLUME, ProvisionedClaims.volumeOf("pvc-u", like));
  }

  Volume savedVolume() {
    return server.get(Kind.VOLUME, "", "pvc-u");
  }

  /** Adds the finalizer, then the storage rejects the request: no call is unfinished. */
  void startWork(Map<String, String> annotations) throws InterruptedException {
    storage.results.add(failure(State.ENDED));
    provision(ProvisionedClaims.claim(annotations, ""));
    storage.requests.clear();
  }

  static ProvisionResult failure(State state) {
    return new ProvisionResult.Failed(state, false, "because");
  }
}
