package dev.mooring.manager.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.manager.endpoint.ConnectionTable.Consequences;
import dev.mooring.testkit.SimTime;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConnectionTableTest {
  private final SimTime time = new SimTime();
  private final ConnectionTable<Integer> table = new ConnectionTable<>(10, 4, time);
  private final List<Integer> served = new ArrayList<>();
  private final List<Integer> closed = new ArrayList<>();
  private int lastConnection;

  private void apply(String client, Consequences<Integer> consequences) {
    served.addAll(consequences.toServe());
    closed.addAll(consequences.toClose());
    served.removeAll(consequences.toClose());
    consequences
        .alarmDelay()
        .ifPresent(delay ->
            time.schedule(
                delay, () -> apply(client, table.alarmExpired(InetAddress.ofLiteral(client)))));
  }

  private int add(String client) {
    lastConnection++;
    apply(client, table.add(InetAddress.ofLiteral(client), lastConnection));
    return lastConnection;
  }

  private void add(String client, int connections) {
    for (int i = 0; i < connections; i++) {
      add(client);
    }
  }

  private void remove(String client, int connection) {
    served.remove((Integer) connection);
    apply(client, table.remove(InetAddress.ofLiteral(client), connection));
  }

  @Test
  void add_addressAtLimit_servesNewestAfterGuaranteedTimeOfOldest() {
    int other = add("10.0.0.2");
    add("10.0.0.1", 4);
    add("10.0.0.1", 2);
    assertThat(served).containsExactly(other, 2, 3, 4, 5);
    assertThat(closed).isEmpty();
    time.advance(ConnectionTable.MIN_LIFETIME);
    assertThat(closed).containsExactly(2, 3);
    assertThat(served).containsExactly(other, 4, 5, 7, 6);
  }

  /** A probe that shares its address with a client that reconnects continuously. */
  @Test
  void add_clientReconnectsContinuously_servesProbeNext() {
    add("10.0.0.1", 200);
    int probe = add("10.0.0.1");
    time.advance(ConnectionTable.MIN_LIFETIME);
    assertThat(served).contains(probe);
    time.advance(ConnectionTable.MIN_LIFETIME.minusMillis(1));
    assertThat(served).as("the probe keeps its guaranteed time").contains(probe);
  }

  @Test
  void add_tooManyWaitingConnections_closesOldestOfThem() {
    add("10.0.0.1", 4 + 512 + 3);
    assertThat(closed).containsExactly(5, 6, 7);
    assertThat(table.all()).hasSize(4 + 512);
  }

  @Test
  void add_tableFull_closesConnectionOfLargestAddress() {
    add("10.0.0.1", 4);
    add("10.0.0.2", 3);
    add("10.0.0.3", 3);
    assertThat(closed).isEmpty();
    int probe = add("10.0.0.9");
    assertThat(closed).containsExactly(1);
    assertThat(served).hasSize(10).contains(probe);
  }

  @Test
  void add_tableFullOfSingleConnections_servesProbe() {
    for (int i = 1; i <= 10; i++) {
      add("10.0.1." + i);
    }
    int probe = add("10.0.0.9");
    assertThat(closed).hasSize(1);
    assertThat(served).hasSize(10).contains(probe);
  }

  @Test
  void add_addressesOfOneIpv6Network_areOneClient() {
    for (int i = 1; i <= 6; i++) {
      add("2001:db8:0:1::" + i);
    }
    assertThat(served).hasSize(4);
    add("2001:db8:0:2::1");
    assertThat(served).hasSize(5);
  }

  @Test
  void remove_activeConnection_servesWaitingConnection() {
    add("10.0.0.1", 5);
    assertThat(served).doesNotContain(5);
    remove("10.0.0.1", 2);
    assertThat(served).contains(5);
    assertThat(closed).isEmpty();
  }

  @Test
  void remove_calledTwice_countsOnce() {
    for (int i = 0; i < 100; i++) {
      int connection = add("10.0.0.1");
      remove("10.0.0.1", connection);
      remove("10.0.0.1", connection);
    }
    add("10.0.0.1", 4);
    add("10.0.0.2", 4);
    add("10.0.0.3", 2);
    assertThat(closed).as("a connection that is removed twice counts once").isEmpty();
    time.advance(Duration.ofMinutes(1));
    assertThat(time.pendingTimers()).isZero();
  }
}
