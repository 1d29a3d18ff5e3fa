package dev.mooring.junit;

import dev.mooring.apiserver.intercept.ReceivedRequest;
import dev.mooring.apiserver.kinds.model.StatusException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

final class NamespaceRequests {
  private static final int CAPACITY = 10_000;
  private static final int REPORTED = 10;
  private static final Set<String> VERBS =
      Set.of("get", "list", "watch", "create", "update", "patch", "delete", "deletecollection");
  private static final Map<Integer, String> REASONS =
      Map.ofEntries(
          Map.entry(400, "BadRequest"),
          Map.entry(401, "Unauthorized"),
          Map.entry(403, "Forbidden"),
          Map.entry(404, "NotFound"),
          Map.entry(409, "Conflict"),
          Map.entry(410, "Expired"),
          Map.entry(422, "Invalid"),
          Map.entry(429, "TooManyRequests"),
          Map.entry(500, "InternalError"),
          Map.entry(503, "ServiceUnavailable"),
          Map.entry(504, "Timeout"));

  private record Refusal(String verb, String resource, int code) {
    boolean matches(ReceivedRequest request) {
      return request.verb().equals(verb) && request.resource().equals(resource);
    }

    StatusException toStatus() {
      return StatusException.injected(
          code,
          REASONS.getOrDefault(code, ""),
          "the test refuses this request: " + verb + " " + resource);
    }
  }

  private final String namespace;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrival = lock.newCondition();
  private final Deque<ReceivedRequest> received = new ArrayDeque<>();
  private final List<Refusal> refusals = new ArrayList<>();
  private long lastArrival = System.nanoTime();

  NamespaceRequests(String namespace) {
    this.namespace = namespace;
  }

  String namespace() {
    return namespace;
  }

  void receive(ReceivedRequest request) throws StatusException {
    if (!request.namespace().isEmpty() && !request.namespace().equals(namespace)) {
      return;
    }
    lock.lock();
    try {
      if (received.size() == CAPACITY) {
        received.removeFirst();
      }
      received.addLast(request);
      if (!request.resource().equals("leases")) {
        lastArrival = System.nanoTime();
        arrival.signalAll();
      }
      for (Iterator<Refusal> next = refusals.iterator(); next.hasNext(); ) {
        Refusal refusal = next.next();
        if (refusal.matches(request)) {
          next.remove();
          throw refusal.toStatus();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  void failNext(String verb, String resource, int code) {
    if (!VERBS.contains(verb)) {
      throw new IllegalArgumentException(
          "unknown verb "
              + verb
              + "; use one of "
              + String.join(", ", VERBS.stream().sorted().toList()));
    }
    if (code < 400 || code > 599) {
      throw new IllegalArgumentException("the code of a refusal is 400 to 599, not " + code);
    }
    lock.lock();
    try {
      refusals.add(new Refusal(verb, resource, code));
    } finally {
      lock.unlock();
    }
  }

  List<ReceivedRequest> list() {
    lock.lock();
    try {
      return List.copyOf(received);
    } finally {
      lock.unlock();
    }
  }

  void reset() {
    lock.lock();
    try {
      received.clear();
    } finally {
      lock.unlock();
    }
  }

  void discardRefusals() {
    lock.lock();
    try {
      refusals.clear();
    } finally {
      lock.unlock();
    }
  }

  void awaitRest(Duration quiet, Duration limit) throws InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    lock.lock();
    try {
      while (true) {
        long now = System.nanoTime();
        long remaining = lastArrival + quiet.toNanos() - now;
        if (remaining <= 0) {
          return;
        }
        if (now >= end) {
          throw new AssertionError(
              "requests still arrive after " + limit + "; the latest: " + formatLatest());
        }
        long ignored = arrival.awaitNanos(Math.min(remaining, end - now));
      }
    } finally {
      lock.unlock();
    }
  }

  private String formatLatest() {
    return received.stream()
        .skip(Math.max(0, received.size() - REPORTED))
        .map(request -> request.verb() + " " + request.resource() + " " + request.name())
        .collect(Collectors.joining(", "));
  }
}
