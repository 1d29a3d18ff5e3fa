package dev.mooring.attachdetach.decide;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VolumeIdTest {
  @Test
  void csi_driverAndHandle_formUniqueName() {
    VolumeId id = VolumeId.csi("ebs.csi.aws.com", "vol-1");
    assertThat(id).hasToString("kubernetes.io/csi/ebs.csi.aws.com^vol-1");
    assertThat(id.plugin()).isEqualTo("kubernetes.io/csi");
    assertThat(id.csi()).contains(new VolumeId.Csi("ebs.csi.aws.com", "vol-1"));
    assertThat(id.label()).isEqualTo("kubernetes.io/csi:ebs.csi.aws.com");
  }

  @Test
  void csi_handleWithSlashesAndCarets_isReturned() {
    assertThat(new VolumeId("kubernetes.io/csi/d^a/b^c/d").csi())
        .contains(new VolumeId.Csi("d", "a/b^c/d"));
  }

  @Test
  void csi_otherPlugin_isEmpty() {
    VolumeId id = VolumeId.of("example.com/disk", "7/x");
    assertThat(id.csi()).isEmpty();
    assertThat(id.name()).isEqualTo("7/x");
    assertThat(id.label()).isEqualTo("example.com/disk");
  }

  @Test
  void plugin_noUniqueName_isEmpty() {
    assertThat(new VolumeId("vol-1").plugin()).isEmpty();
    assertThat(new VolumeId("a/b").plugin()).isEmpty();
    assertThat(new VolumeId("kubernetes.io/csi/without-caret").csi()).isEmpty();
  }
}
