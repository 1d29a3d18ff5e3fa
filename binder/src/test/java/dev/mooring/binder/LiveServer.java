package dev.mooring.binder;

import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.FaultyCluster.Request;
import dev.mooring.testkit.FaultyCluster.Verb;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * API server for live reads, independent of caches. It records patches and unexpected creations and
 * rejects them as conflicts; everything else behaves like {@link FaultyCluster}.
 */
public final class LiveServer {
  private record Address(String kind, ObjectKey key) {
    static Address of(Kind<?> kind, ObjectKey key) {
      return new Address(kind.plural(), key);
    }
  }

  private final Set<Address> silent = ConcurrentHashMap.newKeySet();
  private final Set<Address> closed = ConcurrentHashMap.newKeySet();
  private final Set<Address> foreseen = ConcurrentHashMap.newKeySet();
  private volatile boolean withStatusWrites;
  private final FaultyCluster cluster =
      new FaultyCluster().onRead(this::notRead).onWrite(this::notWritten);

  private @Nullable ReadResult<?> notRead(Request request) {
    Address address = Address.of(request.kind(), request.key());
    return silent.contains(address) || request.verb() == Verb.GET_WHOLE && closed.contains(address)
        ? new ReadResult.Failed<>("no answer")
        : null;
  }

  private @Nullable WriteResult<?> notWritten(Request request) {
    Address address = Address.of(request.kind(), request.key());
    if (request.verb() == Verb.DELETE) {
      return silent.contains(address) ? new WriteResult.Unreachable<>("no answer") : null;
    }
    boolean isUnanswered =
        request.verb() == Verb.CREATE && foreseen.contains(address)
            || request.verb() == Verb.PATCH_STATUS && withStatusWrites;
    return isUnanswered ? null : new WriteResult.Conflict<>("another client was first");
  }

  public FaultyCluster ports() {
    return cluster;
  }

  public <T extends Resource> LiveServer withObject(Kind<T> kind, T object) {
    cluster.cluster().put(kind, object);
    return this;
  }

  /** Lets reads of that object fail. */
  public LiveServer withoutAnswerAbout(Kind<?> kind, ObjectKey key) {
    silent.add(Address.of(kind, key));
    return this;
  }

  public LiveServer withFullObject(boolean isComplete, Kind<?> kind, ObjectKey key) {
    if (isComplete) {
      closed.remove(Address.of(kind, key));
    } else {
      closed.add(Address.of(kind, key));
    }
    return this;
  }

  /** Accepts the creation of that object. */
  public LiveServer withCreation(Kind<?> kind, ObjectKey key) {
    foreseen.add(Address.of(kind, key));
    return this;
  }

  /** Accepts patches of statuses with a current version. */
  public LiveServer withStatusWrites() {
    withStatusWrites = true;
    return this;
  }

  /** Returns the reads in order, except reads of complete objects. */
  public List<String> reads() {
    return cluster.requests().stream()
        .filter(request -> request.verb() == Verb.GET || request.verb() == Verb.LIST)
        .map(request -> request.kind() + " " + request.key())
        .toList();
  }

  /** Returns the attempted writes in order. */
  public List<String> writes() {
    return cluster.requests().stream()
        .filter(request -> request.verb().compareTo(Verb.GET) < 0)
        .map(LiveServer::describe)
        .toList();
  }

  private static String describe(Request request) {
    return request.verb() == Verb.PATCH || request.verb() == Verb.PATCH_STATUS
        ? request + " " + request.document()
        : request.toString();
  }
}
