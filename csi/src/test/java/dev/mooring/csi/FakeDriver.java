package dev.mooring.csi;

import dev.mooring.spi.csi.CsiConnection;
import dev.mooring.spi.csi.CsiConnection.AvailableCapacity;
import dev.mooring.spi.csi.CsiConnection.CreateVolume;
import dev.mooring.spi.csi.CsiConnection.CsiVolume;
import dev.mooring.spi.csi.CsiConnection.Done;
import dev.mooring.spi.csi.CsiConnection.ExpandRequest;
import dev.mooring.spi.csi.CsiConnection.Expanded;
import dev.mooring.spi.csi.CsiConnection.GroupSnapshotHandle;
import dev.mooring.spi.csi.CsiConnection.ListedVolume;
import dev.mooring.spi.csi.CsiConnection.PublishRequest;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import dev.mooring.spi.csi.DriverReply;
import dev.mooring.spi.csi.DriverSecrets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** CSI driver with configurable answers. */
public final class FakeDriver implements CsiConnection {
  public volatile DriverReply<Boolean> ready = new DriverReply.Ok<>(true);
  public volatile DriverReply<DriverIdentity> identity =
      new DriverReply.Ok<>(new DriverIdentity("d", "1", Set.of()));
  public volatile DriverReply<Done> delete = new DriverReply.Ok<>(new Done());
  public volatile DriverReply<Set<DriverCapability>> node = new DriverReply.Ok<>(Set.of());
  public final AtomicInteger probes = new AtomicInteger();
  public final AtomicInteger identifyCalls = new AtomicInteger();
  public final AtomicInteger deletions = new AtomicInteger();
  public final AtomicInteger nodeQueries = new AtomicInteger();

  /** Runs during GetPluginInfo. */
  public volatile Runnable duringIdentify = () -> {};

  /** Runs when the connection is closed. */
  public volatile Runnable onClose = () -> {};

  private volatile Runnable onLoss = () -> {};

  @Override
  public DriverReply<Boolean> probe() {
    probes.incrementAndGet();
    return ready;
  }

  @Override
  public DriverReply<DriverIdentity> identify() {
    identifyCalls.incrementAndGet();
    DriverReply<DriverIdentity> answer = identity;
    duringIdentify.run();
    return answer;
  }

  @Override
  public DriverReply<Set<DriverCapability>> getNodeCapabilities() {
    nodeQueries.incrementAndGet();
    return node;
  }

  @Override
  public void onConnectionLost(Runnable listener) {
    onLoss = listener;
  }

  /** Simulates the loss of the connection. */
  public void lose() {
    onLoss.run();
  }

  @Override
  public DriverReply<Done> deleteVolume(String volumeId, DriverSecrets secrets) {
    deletions.incrementAndGet();
    return delete;
  }

  public volatile Function<String, DriverReply<Optional<CsiSnapshot>>> getSnapshot =
      handle -> {
        throw new AssertionError();
      };

  @Override
  public DriverReply<Optional<CsiSnapshot>> getSnapshot(String snapshotId, DriverSecrets secrets) {
    return getSnapshot.apply(snapshotId);
  }

  public volatile Function<String, DriverReply<Done>> deleteSnapshot =
      handle -> {
        throw new AssertionError();
      };

  @Override
  public DriverReply<Done> deleteSnapshot(String snapshotId, DriverSecrets secrets) {
    return deleteSnapshot.apply(snapshotId);
  }

  public volatile Function<GroupSnapshotHandle, DriverReply<Done>> deleteGroupSnapshot =
      handles -> {
        throw new AssertionError();
      };

  @Override
  public DriverReply<Done> deleteGroupSnapshot(GroupSnapshotHandle group, DriverSecrets secrets) {
    return deleteGroupSnapshot.apply(group);
  }

  public volatile Function<CreateVolume, DriverReply<CsiVolume>> create =
      request -> {
        throw new AssertionError();
      };

  @Override
  public DriverReply<CsiVolume> createVolume(CreateVolume request) {
    return create.apply(request);
  }

  public volatile Function<PublishRequest, DriverReply<Map<String, String>>> publish =
      request -> {
        throw new AssertionError();
      };

  /** Answer to ListVolumes; null if it must not be called. */
  public volatile @Nullable DriverReply<Map<String, ListedVolume>> listedVolumes;

  @Override
  public DriverReply<Map<String, String>> publish(PublishRequest request) {
    return publish.apply(request);
  }

  public volatile BiFunction<String, String, DriverReply<Done>> unpublish =
      (handle, nodeId) -> {
        throw new AssertionError();
      };

  @Override
  public DriverReply<Done> unpublish(String volumeId, String nodeId, DriverSecrets secrets) {
    return unpublish.apply(volumeId, nodeId);
  }

  public volatile Function<ExpandRequest, DriverReply<Expanded>> expand =
      request -> {
        throw new AssertionError();
      };

  @Override
  public DriverReply<Expanded> expand(ExpandRequest request) {
    return expand.apply(request);
  }

  public volatile Function<Map<String, String>, DriverReply<Done>> modify =
      parameters -> {
        throw new AssertionError();
      };

  @Override
  public DriverReply<Done> modify(
      String volumeId, DriverSecrets secrets, Map<String, String> parameters) {
    return modify.apply(parameters);
  }

  @Override
  public DriverReply<Map<String, ListedVolume>> listVolumes() {
    DriverReply<Map<String, ListedVolume>> answer = listedVolumes;
    if (answer == null) {
      throw new AssertionError();
    }
    return answer;
  }

  public volatile Function<Map<String, String>, DriverReply<AvailableCapacity>> getCapacity =
      segments -> {
        throw new AssertionError();
      };

  @Override
  public DriverReply<AvailableCapacity> getCapacity(
      Map<String, String> parameters, Map<String, String> segments) {
    return getCapacity.apply(segments);
  }

  @Override
  public void close() {
    onClose.run();
  }
}
