package dev.mooring.plugin.nfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NfsParametersTest {
  @ParameterizedTest
  @CsvSource({
    "delete,  true,  DELETE",
    "delete,  ,      DELETE",
    "retain,  false, RETAIN",
    "archive, false, ARCHIVE",
    ",        ,      ARCHIVE",
    ",        true,  ARCHIVE",
    ",        T,     ARCHIVE",
    ",        1,     ARCHIVE",
    ",        false, DELETE",
    ",        F,     DELETE",
    ",        0,     DELETE",
  })
  void of_onDeleteAndArchiveOnDelete_givesAction(
      String onDelete, String archiveOnDelete, OnDelete action) {
    Map<String, String> parameters = new HashMap<>();
    if (onDelete != null) {
      parameters.put("onDelete", onDelete);
    }
    if (archiveOnDelete != null) {
      parameters.put("archiveOnDelete", archiveOnDelete);
    }
    assertThat(NfsParameters.of(parameters).onDelete()).isEqualTo(action);
  }

  @ParameterizedTest
  @CsvSource({
    "onDelete,        Delete,      'onDelete \"Delete\" is unknown: use delete, retain or archive'",
    "archiveOnDelete, maybe,       'archiveOnDelete \"maybe\" is unknown: use true or false'",
    "ondelete,        delete,      'parameter \"ondelete\" is unknown'",
    "mode,            rwx,         'mode \"rwx\" is invalid'",
    "mode,            01777,       'mode \"01777\" is invalid'",
    "mode,            -7,          'mode \"-7\" is invalid'",
    "uid,             root,        'uid \"root\" is invalid'",
    "gid,             -1,          'gid \"-1\" is invalid'",
    "reuseRetained,   yes,         'reuseRetained \"yes\" is unknown'",
    "pathPattern,     ${.PVC.uid}, 'pathPattern \"${.PVC.uid}\" has the unknown placeholder ${.PVC.uid}'",
  })
  void of_invalidParameter_isRejected(String name, String value, String message) {
    assertThatThrownBy(() -> NfsParameters.of(Map.of(name, value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void of_modeUidGid_areRead() {
    NfsParameters parameters = NfsParameters.of(Map.of("mode", "0750", "uid", "1000"));
    assertThat(PosixFilePermissions.toString(parameters.mode())).isEqualTo("rwxr-x---");
    assertThat(parameters.uid()).hasValue(1000);
    assertThat(parameters.gid()).isEmpty();
    assertThat(PosixFilePermissions.toString(NfsParameters.of(Map.of()).mode()))
        .isEqualTo("rwxrwxrwx");
  }

  @ParameterizedTest
  @CsvSource({
    "srv,             'nfs-exports \"srv\" is invalid'",
    "srv:/a,          'nfs-exports \"srv:/a\" is invalid'",
    "/a=/b,           'nfs-exports \"/a=/b\" is invalid'",
    "srv:a=/b,        'nfs-exports \"srv:a=/b\" is invalid'",
  })
  void of_invalidExports_isRejected(String exports, String message) {
    assertThatThrownBy(() -> NfsExports.of(exports, false)).hasMessageContaining(message);
  }

  @Test
  void select_serverAndShare_returnsExport() {
    NfsExports exports = NfsExports.of("s1:/a=/m1, s1:/b/=/m2, fd00::1:/=/m3", false);
    assertThat(exports.list())
        .extracting(NfsExport::toString)
        .containsExactly("s1:/a", "s1:/b", "fd00::1:/");
    assertThat(exports.select(NfsParameters.of(Map.of("server", "fd00::1"))).share())
        .isEqualTo("/");
    assertThat(exports.select(NfsParameters.of(Map.of("share", "/b/"))).share()).isEqualTo("/b");
    assertThatThrownBy(() -> exports.select(NfsParameters.of(Map.of("server", "s1"))))
        .hasMessageContaining("several exports match");
    assertThatThrownBy(() -> exports.select(NfsParameters.of(Map.of("server", "s2"))))
        .hasMessageContaining("no export matches");
  }
}
