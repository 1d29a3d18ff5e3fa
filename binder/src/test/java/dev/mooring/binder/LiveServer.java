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
 * A server that is asked, whatever caches say. Patches, and creations that were not foreseen, are
 * noted and refused as conflicts; all else is as it is in {@link FaultyCluster}.
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
  private volatile boolean takesStatus;
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
    boolean taken =
        request.verb() == Verb.CREATE && foreseen.contains(address)
            || request.verb() == Verb.PATCH_STATUS && takesStatus;
    return taken ? null : new WriteResult.Conflict<>("another client was first");
  }

  /** Where it is asked. */
  public FaultyCluster ports() {
    return cluster;
  }

  /** It has that object. */
  public <T extends Resource> LiveServer has(Kind<T> kind, T object) {
    cluster.cluster().put(kind, object);
    return this;
  }

  /** It gives no answer about that object. */
  public LiveServer isSilentAbout(Kind<?> kind, ObjectKey key) {
    silent.add(Address.of(kind, key));
    return this;
  }

  /** It does not show that object whole, for as long as that is so. */
  public LiveServer showsWhole(boolean shown, Kind<?> kind, ObjectKey key) {
    if (shown) {
      closed.remove(Address.of(kind, key));
    } else {
      closed.add(Address.of(kind, key));
    }
    return this;
  }

  /** It makes that object when it is told to. */
  public LiveServer makes(Kind<?> kind, ObjectKey key) {
    foreseen.add(Address.of(kind, key));
    return this;
  }

  /** It takes patches of statuses, if the version is right. */
  public LiveServer takesStatus() {
    takesStatus = true;
    return this;
  }

  /** What was asked, in order; not what was asked for whole. */
  public List<String> reads() {
    return cluster.requests().stream()
        .filter(request -> request.verb() == Verb.GET || request.verb() == Verb.LIST)
        .map(request -> request.kind() + " " + request.key())
        .toList();
  }

  /** What was to be written, in order. */
  public List<String> writes() {
    return cluster.requests().stream()
        .filter(request -> request.verb().compareTo(Verb.GET) < 0)
        .map(LiveServer::words)
        .toList();
  }

  private static String words(Request request) {
    return request.verb() == Verb.PATCH || request.verb() == Verb.PATCH_STATUS
        ? request + " " + request.document()
        : request.toString();
  }
}
