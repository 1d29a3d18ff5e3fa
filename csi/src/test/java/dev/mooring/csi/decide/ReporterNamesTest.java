package dev.mooring.csi.decide;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The sidecar's names as far as the API server accepts them. */
class ReporterNamesTest {
  private static final Pattern QUALIFIED =
      Pattern.compile(
          "([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?");

  @ParameterizedTest
  @CsvSource({
    "d.io,                 h,                             id, d.io_h_id",
    "d.io,                 a b,                           id, d.io_a-b_id",
    "hostpath.csi.k8s.io,  node-1,  0b6e0c5e-3c1a-4a44-9f6e-9d3a3d1c7a11, hostpath.csi.k8s.io_node-1_0b6e0c5e-3c1a-4a44-9f6e-9d3a3d1c7a11",
    "hostpath.csi.k8s.io,  node-12, 0b6e0c5e-3c1a-4a44-9f6e-9d3a3d1c7a11, hostpath.csi.k8s.io/node-12_0b6e0c5e-3c1a-4a44-9f6e-9d3a3d1c7a11",
    "hostpath.csi.k8s.io,  a-host-of-a-very-long-name.example.com, 0b6e0c5e-3c1a-4a44-9f6e-9d3a3d1c7a11, hostpath.csi.k8s.io/a-host-of-a-very-long-name_0b6e0c5e-3c1a-4a44-9f6e-9d3a3d1c7a11",
    "Disk.Example.COM,     a-host-of-a-very-long-name, 0b6e0c5e-3c1a-4a44-9f6e-9d3a3d1c7a11, disk.example.com/a-host-of-a-very-long-name_0b6e0c5e-3c1a-4a44-9f6e-9d3a3d1c7a11",
    "no domain,            a-host-of-a-very-long-name, 0b6e0c5e-3c1a-4a44-9f6e-9d3a3d1c7a11, a-host-of-a-very-long-name_0b6e0c5e-3c1a-4a44-9f6e-9d3a3d1c7a11",
  })
  void provisionerName_anyNames_isQualifiedName(
      String driver, String host, String id, String reporter) {
    assertThat(ReporterNames.provisionerName(driver, host, id))
        .isEqualTo(reporter)
        .matches(QUALIFIED);
  }
}
