package dev.mooring.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attacher;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.VolumePlugin;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a plugin keeps that attaches volumes to nodes. */
@Timeout(300)
public interface AttacherContract {
  /** The plugin, started, over storage of its own for this test. */
  VolumePlugin plugin();

  /** A volume that can be attached. */
  VolumeSource attachable();

  /** A node that it can be attached to. */
  default String node() {
    return "node-1";
  }

  private Attacher attacher() {
    return plugin().attacher().orElseThrow();
  }

  private String name(Attacher attacher) {
    return attacher.volumeName(attachable()).orElseThrow();
  }

  private Set<String> attached(Attacher attacher) {
    Attempt<Set<String>> attempt = attacher.attached(node(), Set.of(name(attacher), "nobody-s"));
    if (attempt instanceof Attempt.Done<Set<String>>(Set<String> names)) {
      return names;
    }
    throw new AssertionError(attempt);
  }

  @Test
  default void aVolumeHasOneNameForEver() {
    assertThat(name(attacher())).isNotBlank().isEqualTo(name(attacher()));
  }

  @Test
  default void attachingAndDetachingMayBeRepeated() {
    Attacher attacher = attacher();
    String name = name(attacher);
    assertThat(attached(attacher)).isEmpty();
    for (int i = 0; i < 2; i++) {
      assertThat(attacher.attach(new Attacher.Request(name, attachable(), node())))
          .isInstanceOf(Attempt.Done.class);
      assertThat(attached(attacher)).containsExactly(name);
    }
    for (int i = 0; i < 2; i++) {
      assertThat(attacher.detach(name, node())).isInstanceOf(Attempt.Done.class);
      assertThat(attached(attacher)).isEmpty();
    }
  }

  /**
   * A node that does not answer for itself any more, because there is none: at its start the host
   * asks of every node in the cluster, and attaches no exclusive volume before it is answered.
   */
  @Test
  default void aNodeThatTheBackendDoesNotKnowHasNothing() {
    Attacher attacher = attacher();
    assertThat(attacher.attached("no-such-node", Set.of(name(attacher))))
        .isEqualTo(Attempt.done(Set.of()));
  }

  /** A name is enough to detach: the PersistentVolume may be gone, and the process another. */
  @Test
  default void anotherLifeOfThePluginDetachesWhatTheFirstHasAttached() {
    Attacher first = attacher();
    String name = name(first);
    assertThat(first.attach(new Attacher.Request(name, attachable(), node())))
        .isInstanceOf(Attempt.Done.class);
    Attacher second = attacher();
    assertThat(attached(second)).containsExactly(name);
    assertThat(second.detach(name, node())).isInstanceOf(Attempt.Done.class);
    assertThat(attached(second)).isEmpty();
  }
}
