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
  public final List<String> listed = new ArrayList<>();
  public final List<String> foreign = new ArrayList<>();
  public final List<PopulatorTrigger> triggers = new ArrayList<>();

  @Override
  public void volume(VolumeNode where) {
    volumes.add(where);
  }

  @Override
  public void status(String node) {
    statuses.add(node);
  }

  @Override
  public void statusOfMany(String node) {
    listed.add(node);
  }

  @Override
  public void foreignStatus(String node) {
    foreign.add(node);
  }

  @Override
  public void trigger(PopulatorTrigger trigger) {
    triggers.add(trigger);
  }
}
