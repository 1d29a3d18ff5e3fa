package dev.mooring.csi;

import dev.mooring.spi.csi.CsiConnection;
import dev.mooring.spi.csi.Identity;
import dev.mooring.spi.csi.Identity.Ability;
import dev.mooring.spi.csi.Reply;
import dev.mooring.spi.csi.Secrets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** CSI driver with configurable answers. */
public final class FakeDriver implements CsiConnection {
  public volatile Reply<Boolean> ready = new Reply.Ok<>(true);
  public volatile Reply<Identity> identity = new Reply.Ok<>(new Identity("d", "1", Set.of()));
  public volatile Reply<Done> delete = new Reply.Ok<>(new Done());
  public volatile Reply<Set<Ability>> node = new Reply.Ok<>(Set.of());
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
  public Reply<Boolean> probe() {
    probes.incrementAndGet();
    return ready;
  }

  @Override
  public Reply<Identity> identify() {
    identifyCalls.incrementAndGet();
    Reply<Identity> answer = identity;
    duringIdentify.run();
    return answer;
  }

  @Override
  public Reply<Set<Ability>> nodeAbilities() {
    nodeQueries.incrementAndGet();
    return node;
  }

  @Override
  public void onLoss(Runnable listener) {
    onLoss = listener;
  }

  /** Simulates the loss of the connection. */
  public void lose() {
    onLoss.run();
  }

  @Override
  public Reply<Done> deleteVolume(String volumeId, Secrets secrets) {
    deletions.incrementAndGet();
    return delete;
  }

  public volatile Function<String, Reply<Done>> deleteSnapshot =
      handle -> {
        throw new AssertionError();
      };

  @Override
  public Reply<Done> deleteSnapshot(String snapshotId, Secrets secrets) {
    return deleteSnapshot.apply(snapshotId);
  }

  public volatile Function<GroupHandles, Reply<Done>> deleteGroupSnapshot =
      handles -> {
        throw new AssertionError();
      };

  @Override
  public Reply<Done> deleteGroupSnapshot(GroupHandles group, Secrets secrets) {
    return deleteGroupSnapshot.apply(group);
  }

  public volatile Function<CreateVolume, Reply<CsiVolume>> create =
      request -> {
        throw new AssertionError();
      };

  @Override
  public Reply<CsiVolume> createVolume(CreateVolume request) {
    return create.apply(request);
  }

  public volatile Function<Publish, Reply<Map<String, String>>> publish =
      request -> {
        throw new AssertionError();
      };

  /** Answer to ListVolumes; null if it must not be called. */
  public volatile @Nullable Reply<Map<String, Listed>> listed;

  @Override
  public Reply<Map<String, String>> publish(Publish request) {
    return publish.apply(request);
  }

  public volatile BiFunction<String, String, Reply<Done>> unpublish =
      (handle, nodeId) -> {
        throw new AssertionError();
      };

  @Override
  public Reply<Done> unpublish(String volumeId, String nodeId, Secrets secrets) {
    return unpublish.apply(volumeId, nodeId);
  }

  public volatile Function<Expand, Reply<Expanded>> expand =
      request -> {
        throw new AssertionError();
      };

  @Override
  public Reply<Expanded> expand(Expand request) {
    return expand.apply(request);
  }

  public volatile Function<Map<String, String>, Reply<Done>> modify =
      parameters -> {
        throw new AssertionError();
      };

  @Override
  public Reply<Done> modify(String volumeId, Secrets secrets, Map<String, String> parameters) {
    return modify.apply(parameters);
  }

  @Override
  public Reply<Map<String, Listed>> volumes() {
    Reply<Map<String, Listed>> answer = listed;
    if (answer == null) {
      throw new AssertionError();
    }
    return answer;
  }

  @Override
  public Reply<Room> capacity(Map<String, String> parameters, Map<String, String> segments) {
    throw new AssertionError();
  }

  @Override
  public void close() {
    onClose.run();
  }
}
