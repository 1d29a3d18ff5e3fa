package dev.mooring.selinux.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.ObjectKey;
import dev.mooring.selinux.decide.LabelUse;
import dev.mooring.selinux.decide.LabelView.Group;
import dev.mooring.selinux.decide.MountLabel;
import dev.mooring.selinux.decide.PodLabels;
import dev.mooring.selinux.decide.VolumeKey;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Index updates as pods appear, change and disappear. */
class VolumeUseIndexTest {
  private static final ObjectKey A = ObjectKey.of("ns", "a");
  private static final ObjectKey B = ObjectKey.of("ns", "b");
  private static final VolumeKey V = new VolumeKey("csi", "v");
  private static final VolumeKey W = new VolumeKey("csi", "w");
  private static final LabelUse L = new LabelUse(new MountLabel(":::l"), "MountOption");
  private static final LabelUse M = new LabelUse(new MountLabel(":::m"), "MountOption");

  private final VolumeUseIndex uses = new VolumeUseIndex();

  private static PodLabels.LabeledVolume volume(VolumeKey key, String driver, LabelUse use) {
    return new PodLabels.LabeledVolume(key, driver, use);
  }

  @Test
  void replace_changedUse_returnsChangedVolumes() {
    assertThat(uses.replace(A, List.of(volume(V, "d", L), volume(W, "d", L))))
        .containsExactlyInAnyOrder(V, W);
    assertThat(uses.replace(A, List.of(volume(V, "d", L), volume(W, "d", L)))).isEmpty();
    assertThat(uses.replace(A, List.of(volume(V, "d", M), volume(W, "d", L)))).containsExactly(V);
    assertThat(uses.view(V, 9).groups()).containsExactly(new Group(M, List.of(A)));
    assertThat(uses.replace(A, List.of(volume(W, "d", L)))).containsExactly(V);
  }

  @Test
  void view_podsWithEqualUse_formOneGroup() {
    uses.replace(B, List.of(volume(V, "d", L)));
    uses.replace(A, List.of(volume(V, "d", L)));
    uses.replace(ObjectKey.of("ns", "c"), List.of(volume(V, "d", M)));
    assertThat(uses.view(V, 9).groups())
        .containsExactly(
            new Group(L, List.of(A, B)), new Group(M, List.of(ObjectKey.of("ns", "c"))));
    assertThat(uses.view(V, 1).groups().getFirst().pods()).containsExactly(A);
  }

  @Test
  void replace_emptyVolumes_removesPod() {
    uses.replace(A, List.of(volume(V, "d", L), volume(W, "e", L)));
    assertThat(uses.podsOf("d")).containsExactly(A);
    assertThat(uses.replace(A, List.of())).containsExactlyInAnyOrder(V, W);
    assertThat(uses.view(V, 9).groups()).isEmpty();
    assertThat(uses.podsOf("d")).isEmpty();
    assertThat(uses.podsOf("e")).isEmpty();
    assertThat(uses).hasToString("0 pods, 0 volumes, 0 drivers");
  }

  @Test
  void replace_volumeMountedTwice_isRemovedOnce() {
    // two claims may share one volume handle
    uses.replace(A, List.of(volume(V, "d", L), volume(V, "d", L)));
    assertThat(uses.view(V, 9).groups()).containsExactly(new Group(L, List.of(A)));
    uses.replace(A, List.of());
    assertThat(uses).hasToString("0 pods, 0 volumes, 0 drivers");
  }
}
