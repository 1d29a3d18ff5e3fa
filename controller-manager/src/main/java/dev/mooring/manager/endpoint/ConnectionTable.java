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
 * through. An address at its limit loses its oldest connection once that is {@link #LEAST} old.
 * Until then a new connection waits, and the newest waiting connection is next. A full table closes
 * the oldest connection of the address with the most connections. Thread-safe.
 *
 * @param <C> type of the connections
 */
final class ConnectionTable<C> {
  /** Guaranteed time of a connection, enough for a handshake and a short answer. */
  static final Duration LEAST = Duration.ofSeconds(2);

  private static final int MOST_WAITING = 512; // per address
  private static final int NETWORK = 8; // bytes of an IPv6 address that a client cannot choose

  /**
   * Actions that follow a change.
   *
   * @param serve connections to serve now
   * @param close connections to close
   * @param alarm when to call {@link #alarm} for the address
   */
  record Consequences<C>(List<C> serve, List<C> close, Optional<Duration> alarm) {}

  private static final class Client<C> {
    private final SequencedMap<C, Long> served = new LinkedHashMap<>();
    private final Deque<C> waiting = new ArrayDeque<>();
    private boolean hasAlarm;

    boolean isIdle() {
      return served.isEmpty() && waiting.isEmpty();
    }
  }

  private final int mostOfAll;
  private final int mostOfOne;
  private final Time time;
  private final Map<List<Byte>, Client<C>> clients = new LinkedHashMap<>();
  private int served;

  ConnectionTable(int mostOfAll, int mostOfOne, Time time) {
    this.mostOfAll = mostOfAll;
    this.mostOfOne = mostOfOne;
    this.time = time;
  }

  synchronized Consequences<C> add(InetAddress address, C connection) {
    Client<C> client = clients.computeIfAbsent(key(address), k -> new Client<>());
    List<C> close = new ArrayList<>();
    client.waiting.addLast(connection);
    if (client.waiting.size() > MOST_WAITING) {
      close.add(client.waiting.removeFirst());
    }
    return serveWaiting(client, close);
  }

  synchronized Consequences<C> remove(InetAddress address, C connection) {
    Client<C> client = clients.get(key(address));
    if (client == null) {
      return new Consequences<>(List.of(), List.of(), Optional.empty());
    }
    if (client.served.remove(connection) != null) {
      served--;
    }
    client.waiting.remove(connection);
    Consequences<C> consequences = serveWaiting(client, new ArrayList<>());
    if (client.isIdle()) {
      clients.remove(key(address));
    }
    return consequences;
  }

  synchronized Consequences<C> alarm(InetAddress address) {
    Client<C> client = clients.get(key(address));
    if (client == null) {
      return new Consequences<>(List.of(), List.of(), Optional.empty());
    }
    client.hasAlarm = false;
    return serveWaiting(client, new ArrayList<>());
  }

  private Consequences<C> serveWaiting(Client<C> client, List<C> close) {
    List<C> serve = new ArrayList<>();
    long now = time.nanos();
    while (!client.waiting.isEmpty()) {
      if (client.served.size() >= mostOfOne) {
        Map.Entry<C, Long> oldest = client.served.firstEntry();
        long left = LEAST.toNanos() - (now - oldest.getValue());
        if (left > 0) {
          Optional<Duration> alarm =
              client.hasAlarm ? Optional.empty() : Optional.of(Duration.ofNanos(left));
          client.hasAlarm = true;
          return new Consequences<>(serve, close, alarm);
        }
        close.add(evictOldest(client));
      } else if (served >= mostOfAll) {
        close.add(evictOldest(largest()));
      }
      C next = client.waiting.removeLast();
      client.served.put(next, now);
      served++;
      serve.add(next);
    }
    return new Consequences<>(serve, close, Optional.empty());
  }

  private Client<C> largest() {
    return clients.values().stream()
        .max(Comparator.comparingInt(client -> client.served.size()))
        .orElseThrow();
  }

  private C evictOldest(Client<C> client) {
    served--;
    return client.served.pollFirstEntry().getKey();
  }

  synchronized List<C> all() {
    List<C> all = new ArrayList<>();
    for (Client<C> client : clients.values()) {
      all.addAll(client.served.keySet());
      all.addAll(client.waiting);
    }
    return all;
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
