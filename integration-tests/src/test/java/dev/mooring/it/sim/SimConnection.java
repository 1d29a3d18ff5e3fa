package dev.mooring.it.sim;

import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.cluster.WrittenObject;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * One process's connection to the API server. Other threads run before and after each request, and
 * each request may have a {@link CallFault}.
 */
final class SimConnection implements ClusterWriter, LiveReader {
  private final Simulation simulation;
  private final SimServer server;
  private final SharedInformers informers;

  SimConnection(Simulation simulation, SharedInformers informers) {
    this.simulation = simulation;
    this.server = simulation.server();
    this.informers = informers;
  }

  private <T extends Resource> WriteResult<T> write(
      Kind<T> kind, ObjectKey key, Supplier<WriteResult<T>> write) throws InterruptedException {
    String request = "write " + kind + " " + key;
    simulation.countRequest(request);
    Runnable lateWrite = () -> simulation.checkWrite(server.find(kind, key), write.get());
    try {
      simulation.yieldThread();
    } catch (SimScheduler.ProcessKilled killed) {
      simulation.keepKilledWrite(lateWrite);
      throw killed;
    }
    if (Thread.interrupted()) {
      simulation.keepTimedOutWrite(lateWrite); // the process may already have sent it
      throw new InterruptedException();
    }
    CallFault fault = simulation.isServerDown() ? CallFault.LOST : simulation.nextFault(request);
    if (fault == CallFault.LOST) {
      simulation.keepTimedOutWrite(lateWrite);
      return new WriteResult.Unreachable<>("no response");
    }
    if (fault == CallFault.CONFLICT) {
      return new WriteResult.Conflict<>("another write came first");
    }
    simulation.workload().beforeWrite(kind, key);
    T previous = server.find(kind, key);
    WriteResult<T> result = write.get();
    simulation.checkWrite(previous, result);
    simulation.yieldThread();
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    if (fault == CallFault.ANSWER_LOST) {
      return new WriteResult.Unreachable<>("no response");
    }
    if (result instanceof WriteResult.Written<T>(T now)) {
      if (kind != Kind.POD && now.meta().isBeingDeleted() && now.meta().finalizers().isEmpty()) {
        informers.of(kind).applyOwnDeletion(key, now.meta().uid());
      } else {
        informers.of(kind).applyOwnWrite(now);
      }
    }
    return result;
  }

  @Override
  public <T extends Resource> WriteResult<T> patch(Kind<T> kind, ObjectKey key, Document patch)
      throws InterruptedException {
    return write(kind, key, () -> server.patch(kind, key, patch, false));
  }

  @Override
  public <T extends Resource> WrittenObject<T> patchAndRead(
      Kind<T> kind, ObjectKey key, Document patch) throws InterruptedException {
    WriteResult<T> result = patch(kind, key, patch);
    return new WrittenObject<>(result, result.toOptional());
  }

  @Override
  public <T extends Resource> WriteResult<T> patchStatus(
      Kind<T> kind, ObjectKey key, Document patch) throws InterruptedException {
    return write(kind, key, () -> server.patch(kind, key, patch, true));
  }

  @Override
  public <T extends Resource> WriteResult<T> create(Kind<T> kind, ObjectKey key, Document object)
      throws InterruptedException {
    return write(kind, key, () -> server.create(kind, key, object));
  }

  @Override
  public <T extends Resource> WriteResult<T> delete(
      Kind<T> kind, ObjectKey key, Uid uid, long version) throws InterruptedException {
    WriteResult<T> result = write(kind, key, () -> server.delete(kind, key, uid, version));
    if (result instanceof WriteResult.Gone<T>) {
      informers.of(kind).applyOwnDeletion(key, uid);
    }
    return result;
  }

  @Override
  public <T extends Resource> ReadResult<T> read(Kind<T> kind, ObjectKey key)
      throws InterruptedException {
    return request(
        "read " + kind + " " + key,
        () -> {
          simulation.workload().beforeRead(kind, key);
          T object = server.find(kind, key);
          return object == null ? new ReadResult.Absent<>() : new ReadResult.Found<>(object);
        });
  }

  @Override
  public ReadResult<Map<String, Object>> readWhole(Kind<?> kind, ObjectKey key)
      throws InterruptedException {
    simulation.workload().readSlowly(kind, nanos -> simulation.yieldWhile(() -> true, nanos));
    return request(
        "read " + kind + " " + key,
        () -> {
          Map<String, Object> members = server.findMembers(kind, key);
          return members == null ? new ReadResult.Absent<>() : new ReadResult.Found<>(members);
        });
  }

  @Override
  public <T extends Resource> ReadResult<List<T>> list(Kind<T> kind, String namespace)
      throws InterruptedException {
    return request(
        "list " + kind,
        () ->
            new ReadResult.Found<>(
                server.list(kind).stream()
                    .filter(o -> o.key().namespace().equals(namespace))
                    .toList()));
  }

  private <R> ReadResult<R> request(String request, Supplier<ReadResult<R>> answer)
      throws InterruptedException {
    simulation.countRequest(request);
    simulation.yieldThread();
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    return simulation.isServerDown() || simulation.nextFault("") != CallFault.NONE
        ? new ReadResult.Failed<>("no response")
        : answer.get();
  }
}
