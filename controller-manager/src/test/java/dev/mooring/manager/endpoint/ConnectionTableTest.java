package dev.mooring.manager.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConnectionTableTest {
  private final ConnectionTable<Integer> open = new ConnectionTable<>(10, 4);
  private final List<Integer> evicted = new ArrayList<>();
  private int last;

  private int add(String client) {
    evicted.addAll(open.add(InetAddress.ofLiteral(client), ++last));
    return last;
  }

  private void add(String client, int connections) {
    for (int i = 0; i < connections; i++) {
      add(client);
    }
  }

  @Test
  void add_addressAtItsLimit_evictsTheOldestOfThatAddress() {
    int other = add("10.0.0.2");
    add("10.0.0.1", 4);
    assertThat(evicted).isEmpty();
    add("10.0.0.1", 2);
    assertThat(evicted).containsExactly(2, 3);
    assertThat(open.all()).hasSize(5).contains(other);
  }

  @Test
  void add_tableFull_evictsFromTheAddressWithMost() {
    add("10.0.0.1", 4);
    add("10.0.0.2", 3);
    add("10.0.0.3", 3);
    assertThat(evicted).isEmpty();
    int probe = add("10.0.0.9");
    assertThat(evicted).containsExactly(1);
    assertThat(open.all()).hasSize(10).contains(probe);
  }

  @Test
  void add_fullOfSingleConnections_stillAdmitsAProbe() {
    for (int i = 1; i <= 10; i++) {
      add("10.0.1." + i);
    }
    int probe = add("10.0.0.9");
    assertThat(evicted).hasSize(1).doesNotContain(probe);
    assertThat(open.all()).hasSize(10);
  }

  @Test
  void add_addressesOfOneIpv6Network_countAsOneClient() {
    for (int i = 1; i <= 6; i++) {
      add("2001:db8:0:1::" + i);
    }
    assertThat(evicted).containsExactly(1, 2);
    add("2001:db8:0:2::1");
    assertThat(evicted).hasSize(2);
  }

  @Test
  void remove_connectionsThatEnded_leaveRoomAndNothingBehind() {
    for (int i = 0; i < 100; i++) {
      int one = add("10.0.0.1");
      open.remove(InetAddress.ofLiteral("10.0.0.1"), one);
      open.remove(InetAddress.ofLiteral("10.0.0.1"), one);
    }
    add("10.0.0.1", 4);
    add("10.0.0.2", 4);
    add("10.0.0.3", 2);
    assertThat(evicted).as("a connection that is removed twice counts once").isEmpty();
  }
}
