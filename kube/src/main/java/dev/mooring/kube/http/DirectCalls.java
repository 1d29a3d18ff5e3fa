package dev.mooring.kube.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Sends calls on own HTTP/1.1 connections, each of which serves one call at a time.
 *
 * <p>In a process that has just started, a call costs a third of what it costs with the HTTP
 * client's library. The server may close an idle connection. If a reused connection ends before any
 * response, the request is sent once more, on a new connection.
 */
final class DirectCalls implements ApiCalls, ResponseBody.ConnectionOwner {
  // Further connections open only after a delay: a handshake costs more than a short wait.
  private static final int FREELY_OPENED = 4;

  private static final long OPEN_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long MAX_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long MAX_IDLE_NANOS = TimeUnit.SECONDS.toNanos(30); // the server's is 90 s

  private final ServerSockets sockets;
  private final Runnable timeoutListener;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition connectionsChanged = lock.newCondition();
  private final Deque<DirectConnection> idle = new ArrayDeque<>();
  private final Map<DirectConnection, Integer> busy = new HashMap<>(); // generations
  private int opening; // connections in a handshake
  private int unproven; // those, and connections that have had no response
  private int generation;

  // The listener is notified of each call that timed out.
  DirectCalls(ServerSockets sockets, Runnable timeoutListener) {
    this.sockets = sockets;
    this.timeoutListener = timeoutListener;
  }

  @Override
  public ApiResponse execute(ApiRequest request, String authorization, Duration limit)
      throws IOException {
    byte[] bytes = request.encode(sockets.hostAndPort(), authorization);
    long deadline = System.nanoTime() + limit.toNanos();
    DirectConnection reused = takeIdle(deadline);
    if (reused != null) {
      try {
        return send(reused, request, bytes, deadline);
      } catch (IOException e) {
        if (!mayResend(reused, e)) {
          throw e;
        }
        retireConnections(); // a restarted server has closed the others too
      }
      beginOpening();
    }
    try {
      return send(open(deadline), request, bytes, deadline);
    } finally {
      endProof();
    }
  }

  private static boolean mayResend(DirectConnection connection, IOException failure) {
    return !connection.isAnswered()
        && !connection.isCancelled()
        && !(failure instanceof InterruptedIOException)
        && !Thread.currentThread().isInterrupted();
  }

  private ApiResponse send(
      DirectConnection connection, ApiRequest request, byte[] bytes, long deadline)
      throws IOException {
    try {
      DirectConnection.Head head = connection.exchange(bytes, deadline);
      InputStream body = ResponseBody.of(head, connection, this);
      if (head.header("content-encoding").equalsIgnoreCase("gzip")) {
        body = new GZIPInputStream(body);
      }
      return new ApiResponse(
          sockets.origin() + request.target(), head.code(), head.headers(), body);
    } catch (IOException e) {
      handleFailure(connection, e);
      throw e;
    }
  }

  // Returns null if the caller has to open a connection.
  private @Nullable DirectConnection takeIdle(long deadline) throws IOException {
    lock.lock();
    try {
      closeExpired();
      long start = System.nanoTime();
      while (idle.isEmpty() && !mayOpen(System.nanoTime() - start, deadline - start)) {
        if (connectionsChanged.awaitNanos(OPEN_DELAY_NANOS) <= 0
            && deadline - System.nanoTime() <= 0) {
          throw new SocketTimeoutException("timeout");
        }
      }
      DirectConnection connection = idle.pollFirst();
      if (connection == null) {
        beginOpening();
      } else {
        busy.put(connection, generation);
      }
      return connection;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    } finally {
      lock.unlock();
    }
  }

  // The first response on a connection brings a TLS ticket, with which the next handshake needs no
  // signature. In a process that has just started a signature costs tens of milliseconds. If no
  // response comes, one more handshake runs for each second of waiting. A call that has waited for
  // half of its limit opens a connection in any case: a renewal of the Lease has only seconds.
  private boolean mayOpen(long waitedNanos, long limitNanos) {
    int allowed = busy.size() / FREELY_OPENED;
    long waits = waitedNanos / MAX_WAIT_NANOS;
    return waitedNanos >= limitNanos / 2
        || waits > 0 && opening < allowed + waits
        || unproven <= allowed && (busy.size() < FREELY_OPENED || waitedNanos >= OPEN_DELAY_NANOS);
  }

  private void beginOpening() {
    lock.lock();
    try {
      opening++;
      unproven++;
    } finally {
      lock.unlock();
    }
  }

  private void endProof() {
    lock.lock();
    try {
      unproven--;
      connectionsChanged.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void closeExpired() {
    while (!idle.isEmpty() && idle.getLast().silenceNanos() > MAX_IDLE_NANOS) {
      idle.removeLast().close();
    }
  }

  private DirectConnection open(long deadline) throws IOException {
    DirectConnection connection = null;
    try {
      connection = sockets.open(deadline);
      return connection;
    } catch (InterruptedIOException e) {
      notifyTimeout(e);
      throw e;
    } finally {
      endOpening(connection);
    }
  }

  private void endOpening(@Nullable DirectConnection connection) {
    lock.lock();
    try {
      opening--;
      if (connection != null) {
        busy.put(connection, generation);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void returnConnection(DirectConnection connection, boolean isReusable) {
    lock.lock();
    try {
      Integer openedGeneration = busy.remove(connection);
      if (openedGeneration == null) {
        return; // it was returned before, at the end of an empty body
      }
      if (isReusable && openedGeneration == generation) {
        idle.addFirst(connection);
        connectionsChanged.signal();
        return;
      }
    } finally {
      lock.unlock();
    }
    connection.close();
  }

  @Override
  public void handleFailure(DirectConnection connection, IOException failure) {
    returnConnection(connection, false);
    notifyTimeout(failure);
  }

  // Connections of the same age may be half-open too: the server's machine may have vanished.
  private void notifyTimeout(IOException failure) {
    if (failure instanceof InterruptedIOException && !Thread.currentThread().isInterrupted()) {
      retireConnections();
      timeoutListener.run();
    }
  }

  @Override
  public void retireConnections() {
    List<DirectConnection> retired;
    lock.lock();
    try {
      generation++;
      retired = List.copyOf(idle);
      idle.clear();
    } finally {
      lock.unlock();
    }
    retired.forEach(DirectConnection::close);
  }

  @Override
  public void abandonSilentCalls(Duration silence) {
    retireConnections();
    copyBusy().stream()
        .filter(connection -> connection.silenceNanos() >= silence.toNanos())
        .forEach(DirectConnection::close);
  }

  @Override
  public void cancelAll() {
    copyBusy().forEach(DirectConnection::cancel);
  }

  private List<DirectConnection> copyBusy() {
    lock.lock();
    try {
      return new ArrayList<>(busy.keySet());
    } finally {
      lock.unlock();
    }
  }
}
