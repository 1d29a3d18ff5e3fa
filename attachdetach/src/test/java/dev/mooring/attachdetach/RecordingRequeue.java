package dev.mooring.attachdetach;

import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.attachdetach.state.AttachRequeue;
import dev.mooring.attachdetach.state.PopulatorTrigger;
import java.util.ArrayList;
import java.util.List;

/** Records requeued keys. Not thread-safe. */
public final class RecordingRequeue implements AttachRequeue {
  public final List<VolumeNode> volumes = new ArrayList<>();
  public final List<String> statuses = new ArrayList<>();
  public final List<String> batchedStatuses = new ArrayList<>();
  public final List<String> foreignStatuses = new ArrayList<>();
  public final List<PopulatorTrigger> triggers = new ArrayList<>();

  @Override
  public void requeueVolume(VolumeNode volumeNode) {
    volumes.add(volumeNode);
  }

  @Override
  public void requeueStatus(String node) {
    statuses.add(node);
  }

  @Override
  public void requeueBatchedStatus(String node) {
    batchedStatuses.add(node);
  }

  @Override
  public void requeueForeignStatus(String node) {
    foreignStatuses.add(node);
  }

  @Override
  public void addTrigger(PopulatorTrigger trigger) {
    triggers.add(trigger);
  }
}
