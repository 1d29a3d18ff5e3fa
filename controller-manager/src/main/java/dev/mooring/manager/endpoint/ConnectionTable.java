package dev.mooring.manager.endpoint;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;

/**
 * The open connections by client address. It always admits a new connection, so that a health probe
 * gets through: beyond a limit an older one has to go, the oldest of the same address, or of the
 * address that has most. Thread-safe.
 *
 * @param <C> the connections
 */
final class ConnectionTable<C> {
  private static final int NETWORK = 8; // bytes of an IPv6 address that a client cannot choose

  private final int mostOfAll;
  private final int mostOfOne;
  private final Map<List<Byte>, SequencedSet<C>> byClient = new LinkedHashMap<>();
  private int open;

  /**
   * No connections yet.
   *
   * @param mostOfAll the most connections in all, positive
   * @param mostOfOne the most connections of one address, positive
   */
  ConnectionTable(int mostOfAll, int mostOfOne) {
    this.mostOfAll = mostOfAll;
    this.mostOfOne = mostOfOne;
  }

  /** Adds a connection; returns those that have to be closed for it. */
  synchronized List<C> add(InetAddress client, C connection) {
    List<C> evicted = new ArrayList<>();
    List<Byte> key = key(client);
    SequencedSet<C> own = byClient.get(key);
    if (own != null && own.size() >= mostOfOne) {
      evicted.add(own.getFirst());
      remove(client, own.getFirst());
    } else if (open >= mostOfAll) {
      evicted.add(evictLargest());
    }
    byClient.computeIfAbsent(key, k -> new LinkedHashSet<>()).add(connection);
    open++;
    return evicted;
  }

  private C evictLargest() {
    Map.Entry<List<Byte>, SequencedSet<C>> largest =
        byClient.entrySet().stream()
            .max(Comparator.comparingInt(entry -> entry.getValue().size()))
            .orElseThrow();
    C oldest = largest.getValue().removeFirst();
    if (largest.getValue().isEmpty()) {
      byClient.remove(largest.getKey());
    }
    open--;
    return oldest;
  }

  /** Removes a connection, if it is there. */
  synchronized void remove(InetAddress client, C connection) {
    List<Byte> key = key(client);
    SequencedSet<C> own = byClient.get(key);
    if (own != null && own.remove(connection)) {
      open--;
      if (own.isEmpty()) {
        byClient.remove(key);
      }
    }
  }

  /** All open connections. */
  synchronized List<C> all() {
    return byClient.values().stream().flatMap(SequencedSet::stream).toList();
  }

  private static List<Byte> key(InetAddress client) {
    byte[] address = client.getAddress();
    byte[] key = client instanceof Inet6Address ? Arrays.copyOf(address, NETWORK) : address;
    List<Byte> bytes = new ArrayList<>(key.length);
    for (byte one : key) {
      bytes.add(one);
    }
    return bytes;
  }
}
