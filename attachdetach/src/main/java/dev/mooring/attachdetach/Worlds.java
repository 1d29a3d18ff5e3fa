package dev.mooring.attachdetach;

import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.DetachCheck.User;
import dev.mooring.attachdetach.decide.NodeView.Held;
import dev.mooring.attachdetach.decide.PodUse;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.WantedVolume;
import dev.mooring.attachdetach.decide.WorldUpdate;
import dev.mooring.attachdetach.execute.ActualState;
import dev.mooring.attachdetach.execute.DesiredState;
import dev.mooring.attachdetach.execute.State;
import dev.mooring.attachdetach.observe.ActualStateUpdater;
import dev.mooring.attachdetach.observe.DesiredStateOfWorld;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Both worlds, and what operations see of them: those who know and those who act do not know each
 * other.
 *
 * @param desired what is wanted
 * @param actual what is
 */
record Worlds(DesiredStateOfWorld desired, ActualStateUpdater actual) {
  /** Nothing is wanted, and nothing is attached. */
  static Worlds empty() {
    return new Worlds(new DesiredStateOfWorld(), new ActualStateUpdater());
  }

  State state() {
    return new State(desiredState(), actualState());
  }

  private DesiredState desiredState() {
    return new DesiredState() {
      @Override
      public @Nullable AttachTarget target(VolumeId id) {
        return desired.target(id);
      }

      @Override
      public WantedVolume wanted(VolumeId id) {
        return desired.wanted(id);
      }

      @Override
      public boolean wants(VolumeId id, String node) {
        return desired.wants(id, node);
      }

      @Override
      public List<PodUse> uses(VolumeId id, String node) {
        return desired.uses(id, node);
      }
    };
  }

  private ActualState actualState() {
    return new ActualState() {
      @Override
      public boolean update(WorldUpdate update) {
        return actual.update(update);
      }

      @Override
      public Held held(VolumeId id, String node) {
        return actual.held(id, node);
      }

      @Override
      public @Nullable AttachTarget target(VolumeId id) {
        return actual.target(id);
      }

      @Override
      public List<User> lastUsers(VolumeId id, String node) {
        return actual.lastUsers(id, node);
      }

      @Override
      public List<String> nodes() {
        return actual.nodes();
      }

      @Override
      public List<VolumeId> attachedTo(String node) {
        return actual.attachedTo(node);
      }

      @Override
      public SortedMap<String, String> reportOf(String node) {
        return actual.reportOf(node);
      }

      @Override
      public OptionalLong lastWriteOfMany(String node) {
        return actual.lastWriteOfMany(node);
      }
    };
  }
}
