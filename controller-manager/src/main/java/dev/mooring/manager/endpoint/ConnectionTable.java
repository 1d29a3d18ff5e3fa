package dev.mooring.manager.endpoint;

import dev.mooring.time.Time;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * Connections by client address. Every new connection gets a turn, so that a health probe gets
 * through. An address at its limit loses its oldest connection once that is {@link #MIN_LIFETIME}
 * old. Until then a new connection waits, and the newest waiting connection is next. A full table
 * closes the oldest connection of the address with the most connections. Thread-safe.
 *
 * @param <C> type of the connections
 */
final class ConnectionTable<C> {
  /** Guaranteed time of a connection, enough for a handshake and a short answer. */
  static final Duration MIN_LIFETIME = Duration.ofSeconds(2);

  private static final int MAX_WAITING = 512; // per address

  // Bytes of an IPv6 address that a client cannot choose.
  private static final int NETWORK_BYTES = 8;

  /**
   * Actions that follow a change.
   *
   * @param toServe connections to serve now
   * @param toClose connections to close
   * @param alarmDelay when to call {@link #alarmExpired} for the address
   */
  record Consequences<C>(List<C> toServe, List<C> toClose, Optional<Duration> alarmDelay) {}

  private static final class Client<C> {
    private final SequencedMap<C, Long> active = new LinkedHashMap<>();
    private final Deque<C> waiting = new ArrayDeque<>();
    private boolean hasAlarm;

    boolean isIdle() {
      return active.isEmpty() && waiting.isEmpty();
    }
  }

  private final int maxConnections;
  private final int maxPerClient;
  private final Time time;
  private final Map<List<Byte>, Client<C>> clients = new LinkedHashMap<>();
  private int activeCount;

  ConnectionTable(int maxConnections, int maxPerClient, Time time) {
    this.maxConnections = maxConnections;
    this.maxPerClient = maxPerClient;
    this.time = time;
  }

  synchronized Consequences<C> add(InetAddress address, C connection) {
    Client<C> client = clients.computeIfAbsent(key(address), k -> new Client<>());
    List<C> toClose = new ArrayList<>();
    client.waiting.addLast(connection);
    if (client.waiting.size() > MAX_WAITING) {
      toClose.add(client.waiting.removeFirst());
    }
    return serveWaiting(client, toClose);
  }

  synchronized Consequences<C> remove(InetAddress address, C connection) {
    Client<C> client = clients.get(key(address));
    if (client == null) {
      return new Consequences<>(List.of(), List.of(), Optional.empty());
    }
    if (client.active.remove(connection) != null) {
      activeCount--;
    }
    client.waiting.remove(connection);
    Consequences<C> consequences = serveWaiting(client, new ArrayList<>());
    if (client.isIdle()) {
      clients.remove(key(address));
    }
    return consequences;
  }

  synchronized Consequences<C> alarmExpired(InetAddress address) {
    Client<C> client = clients.get(key(address));
    if (client == null) {
      return new Consequences<>(List.of(), List.of(), Optional.empty());
    }
    client.hasAlarm = false;
    return serveWaiting(client, new ArrayList<>());
  }

  private Consequences<C> serveWaiting(Client<C> client, List<C> toClose) {
    List<C> toServe = new ArrayList<>();
    long now = time.nanos();
    while (!client.waiting.isEmpty()) {
      if (client.active.size() >= maxPerClient) {
        Map.Entry<C, Long> oldest = client.active.firstEntry();
        long remaining = MIN_LIFETIME.toNanos() - (now - oldest.getValue());
        if (remaining > 0) {
          Optional<Duration> alarmDelay =
              client.hasAlarm ? Optional.empty() : Optional.of(Duration.ofNanos(remaining));
          client.hasAlarm = true;
          return new Consequences<>(toServe, toClose, alarmDelay);
        }
        toClose.add(evictOldest(client));
      } else if (activeCount >= maxConnections) {
        toClose.add(evictOldest(largestClient()));
      }
      C next = client.waiting.removeLast();
      client.active.put(next, now);
      activeCount++;
      toServe.add(next);
    }
    return new Consequences<>(toServe, toClose, Optional.empty());
  }

  private Client<C> largestClient() {
    return clients.values().stream()
        .max(Comparator.comparingInt(client -> client.active.size()))
        .orElseThrow();
  }

  private C evictOldest(Client<C> client) {
    activeCount--;
    return client.active.pollFirstEntry().getKey();
  }

  synchronized List<C> all() {
    List<C> connections = new ArrayList<>();
    for (Client<C> client : clients.values()) {
      connections.addAll(client.active.keySet());
      connections.addAll(client.waiting);
    }
    return connections;
  }

  private static List<Byte> key(InetAddress client) {
    byte[] address = client.getAddress();
    byte[] key = client instanceof Inet6Address ? Arrays.copyOf(address, NETWORK_BYTES) : address;
    List<Byte> bytes = new ArrayList<>(key.length);
    for (byte b : key) {
      bytes.add(b);
    }
    return bytes;
  }
}
