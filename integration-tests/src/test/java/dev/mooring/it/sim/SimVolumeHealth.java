package dev.mooring.it.sim;

import static dev.mooring.it.sim.FinalState.verify;

import dev.mooring.csi.decide.VolumeHealth;
import dev.mooring.it.sim.CsiDriverStorage.StoredVolume;
import dev.mooring.model.Claim;
import dev.mooring.model.Claim.HealthCondition;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.spi.csi.VolumeProblem;
import dev.mooring.spi.csi.VolumeProblem.Severity;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Problems of the driver's volumes, and the claims that report them. A list may leave a volume out,
 * but not twice in a row.
 *
 * <p>Invariant, at every write: a claim reports only problems that its volume or its predecessor
 * had, and loses them only after the volume had none.
 *
 * <p>Invariant at the end: each claim reports the problems of its volume.
 */
final class SimVolumeHealth {
  private final Simulation simulation;
  private final SimServer server;
  private final Random random;
  private final CsiDriverStorage storage;
  private final Map<String, Set<List<HealthCondition>>> histories = new HashMap<>(); // by handle
  private final Map<String, Integer> recoveries = new HashMap<>(); // by handle
  private final Map<Uid, Integer> recoveriesAtReport = new HashMap<>(); // by claim
  private final Set<String> leftOut = new HashSet<>(); // handles that the last list left out
  private long reports;
  private long withdrawals;

  SimVolumeHealth(Simulation simulation, CsiDriverStorage storage) {
    this.simulation = simulation;
    this.server = simulation.server();
    this.random = simulation.random();
    this.storage = storage;
  }

  /** Fault: a volume gets a problem, or recovers. */
  void disturb() {
    List<StoredVolume> volumes = List.copyOf(storage.items.values());
    if (volumes.isEmpty()) {
      return;
    }
    StoredVolume volume = volumes.get(random.nextInt(volumes.size()));
    if (!volume.problems.isEmpty() && random.nextBoolean()) {
      volume.problems = List.of();
      recoveries.merge(volume.id, 1, Integer::sum);
    } else {
      Severity[] severities = Severity.values();
      volume.problems =
          IntStream.rangeClosed(0, random.nextInt(2))
              .mapToObj(number ->
                  new VolumeProblem(
                      severities[random.nextInt(severities.length)], "R" + number, "problem"))
              .toList();
    }
    histories
        .computeIfAbsent(volume.id, id -> new HashSet<>())
        .add(VolumeHealth.makeConditions(volume.problems));
    simulation.addToHistory("driver: problems of " + volume.id + " are " + volume.problems);
  }

  Map<String, List<VolumeProblem>> list() {
    Map<String, List<VolumeProblem>> problems = new LinkedHashMap<>();
    for (StoredVolume volume : storage.items.values()) {
      boolean isLeftOut =
          !simulation.areFaultsOver() && random.nextInt(4) == 0 && leftOut.add(volume.id);
      if (!isLeftOut) {
        leftOut.remove(volume.id);
        if (!volume.problems.isEmpty() || random.nextBoolean()) {
          problems.put(volume.id, volume.problems);
        }
      }
    }
    return problems;
  }

  /** Returns the problems of a volume; empty if it does not exist. */
  Optional<List<VolumeProblem>> find(String id) {
    return Optional.ofNullable(storage.items.get(id)).map(volume -> volume.problems);
  }

  void onWrite(@Nullable Claim previous, Claim now) {
    List<HealthCondition> conditions = now.status().healthConditions();
    if (previous == null || previous.status().healthConditions().equals(conditions)) {
      return;
    }
    Volume volume = server.find(Kind.VOLUME, ObjectKey.cluster(now.volumeName()));
    if (volume == null) {
      return;
    }
    String handle = volume.source().attribute("volumeHandle");
    int recoveryCount = recoveries.getOrDefault(handle, 0);
    if (!conditions.isEmpty()) {
      reports++;
      recoveriesAtReport.put(now.meta().uid(), recoveryCount);
      verify(
          hadProblems(now.volumeName(), handle, conditions),
          now + " reports problems that " + handle + " never had");
      return;
    }
    withdrawals++;
    StoredVolume stored = storage.items.get(handle);
    // an earlier leader may still write what it read before
    verify(
        simulation.mode().hasLateWrites()
            || stored == null
            || stored.problems.isEmpty()
            || recoveryCount > recoveriesAtReport.getOrDefault(now.meta().uid(), 0),
        now + " reports no problem, but " + handle + " always had some since the last report");
  }

  // The user may have replaced the volume by one of another handle since the driver was called.
  private boolean hadProblems(String volumeName, String handle, List<HealthCondition> conditions) {
    return histories.entrySet().stream()
        .filter(history ->
            history.getKey().equals(handle)
                || history.getKey().equals(volumeName)
                || history.getKey().startsWith(volumeName + "."))
        .anyMatch(history -> history.getValue().contains(conditions));
  }

  /** Returns what the claim should report; "" if it does. */
  String findUnmet(Claim claim, StoredVolume volume) {
    List<HealthCondition> expected = VolumeHealth.makeConditions(volume.problems);
    return claim.status().healthConditions().equals(expected) ? "" : "should report " + expected;
  }

  long reportCount() {
    return reports;
  }

  long withdrawalCount() {
    return withdrawals;
  }
}
