package dev.mooring.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attacher;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.VolumePlugin;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Contract of plugins that attach volumes to nodes. */
public interface AttacherContract {
  /** Returns a started plugin with separate storage for this test. */
  VolumePlugin plugin();

  /** Returns a volume that the plugin can attach. */
  VolumeSource attachable();

  /** Returns a node to which the plugin can attach the volume. */
  default String node() {
    return "node-1";
  }

  private Attacher attacher() {
    return plugin().attacher().orElseThrow();
  }

  private String volumeName(Attacher attacher) {
    return attacher.volumeName(attachable()).orElseThrow();
  }

  private Set<String> readAttached(Attacher attacher) {
    Attempt<Set<String>> attempt =
        attacher.attached(node(), Set.of(volumeName(attacher), "unknown"));
    if (attempt instanceof Attempt.Done<Set<String>>(Set<String> names)) {
      return names;
    }
    throw new AssertionError(attempt);
  }

  @Test
  default void volumeName_sameSource_neverChanges() {
    assertThat(volumeName(attacher())).isNotBlank().isEqualTo(volumeName(attacher()));
  }

  @Test
  default void attachAndDetach_repeated_succeed() {
    Attacher attacher = attacher();
    String name = volumeName(attacher);
    assertThat(readAttached(attacher)).isEmpty();
    for (int i = 0; i < 2; i++) {
      assertThat(attacher.attach(new Attacher.Request(name, attachable(), node())))
          .isInstanceOf(Attempt.Done.class);
      assertThat(readAttached(attacher)).containsExactly(name);
    }
    for (int i = 0; i < 2; i++) {
      assertThat(attacher.detach(name, node())).isInstanceOf(Attempt.Done.class);
      assertThat(readAttached(attacher)).isEmpty();
    }
  }

  /**
   * At its start the host queries each node of the cluster. It attaches no exclusive volume before
   * the answers arrive, also for nodes that no longer exist.
   */
  @Test
  default void attached_unknownNode_returnsEmptySet() {
    Attacher attacher = attacher();
    assertThat(attacher.attached("no-such-node", Set.of(volumeName(attacher))))
        .isEqualTo(Attempt.done(Set.of()));
  }

  /**
   * The name alone must suffice: the PersistentVolume may be gone, and the process is a new one.
   */
  @Test
  default void detach_byNewInstance_succeeds() {
    Attacher first = attacher();
    String name = volumeName(first);
    assertThat(first.attach(new Attacher.Request(name, attachable(), node())))
        .isInstanceOf(Attempt.Done.class);
    Attacher second = attacher();
    assertThat(readAttached(second)).containsExactly(name);
    assertThat(second.detach(name, node())).isInstanceOf(Attempt.Done.class);
    assertThat(readAttached(second)).isEmpty();
  }
}
