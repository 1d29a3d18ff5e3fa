package dev.mooring.plugin.localpath;

import static dev.mooring.plugin.localpath.LocalPathRequests.boundTo;
import static dev.mooring.plugin.localpath.LocalPathRequests.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.Node;
import dev.mooring.model.NodeAffinity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WhereaboutsTest {
  private static final Node ONE = node("node-1");
  private static final Node TWO = node("node-2");
  private static final Node RENAMED =
      node("vm-7", Map.of("kubernetes.io/hostname", "node-1"), true);

  private static Whereabouts of(NodeAffinity affinity, String name, Node... all) {
    Optional<Node> found =
        List.of(all).stream().filter(n -> n.meta().name().equals(name)).findFirst();
    Whereabouts first = Whereabouts.of(affinity, name, found, Optional.empty());
    return first instanceof Whereabouts.AskAll
        ? Whereabouts.of(affinity, name, found, Optional.of(List.of(all)))
        : first;
  }

  @Test
  void whoIsAskedFor() {
    assertThat(Whereabouts.named(boundTo("h"), "noted")).contains("noted");
    assertThat(Whereabouts.named(boundTo("h"), "")).contains("h");
    assertThat(Whereabouts.named(boundTo("a", "b"), "")).isEmpty();
    assertThat(Whereabouts.named(NodeAffinity.NONE, "")).isEmpty();
  }

  @Test
  void theNodeThatItIsBoundTo() {
    assertThat(of(boundTo("node-1"), "node-1", ONE, TWO)).isEqualTo(new Whereabouts.On(ONE));
    assertThat(Whereabouts.of(boundTo("node-1"), "node-1", Optional.of(ONE), Optional.empty()))
        .as("without asking for all")
        .isEqualTo(new Whereabouts.On(ONE));
  }

  @Test
  void aNodeWhoseNameIsNotItsHostnameIsFoundByItsLabel() {
    assertThat(of(boundTo("node-1"), "node-1", RENAMED, TWO))
        .isEqualTo(new Whereabouts.On(RENAMED));
  }

  @Test
  void whatNoNodeIsIsGone() {
    assertThat(of(boundTo("node-1"), "node-1", TWO)).isEqualTo(new Whereabouts.Gone("node-1"));
  }

  @Test
  void whatContradictsItselfIsUnclear() {
    assertThat(of(boundTo("node-2"), "node-1", ONE, TWO)).isInstanceOf(Whereabouts.Unclear.class);
    assertThat(of(boundTo("lost"), "node-1", ONE, TWO)).isInstanceOf(Whereabouts.Unclear.class);
    assertThat(of(boundTo("node-1", "node-2"), "gone", ONE, TWO))
        .isInstanceOf(Whereabouts.Unclear.class);
    assertThat(of(NodeAffinity.NONE, "node-1", ONE)).isInstanceOf(Whereabouts.Unclear.class);
  }
}
