package dev.mooring.plugin.nfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** spec/provisioner-lib.md 10 and its case 42. */
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
  void whatBecomesOfADirectory(String onDelete, String archiveOnDelete, OnDelete fate) {
    Map<String, String> given = new HashMap<>();
    if (onDelete != null) {
      given.put("onDelete", onDelete);
    }
    if (archiveOnDelete != null) {
      given.put("archiveOnDelete", archiveOnDelete);
    }
    assertThat(NfsParameters.of(given).onDelete()).isEqualTo(fate);
  }

  @ParameterizedTest
  @CsvSource({
    "onDelete,        Delete,      'onDelete \"Delete\" is not known: name delete, retain or archive'",
    "archiveOnDelete, maybe,       'archiveOnDelete \"maybe\" is not known: name true or false'",
    "ondelete,        delete,      'parameter \"ondelete\" is not known'",
    "mode,            rwx,         'mode \"rwx\" is none'",
    "mode,            01777,       'mode \"01777\" is none'",
    "mode,            -7,          'mode \"-7\" is none'",
    "uid,             root,        'uid \"root\" is none'",
    "gid,             -1,          'gid \"-1\" is none'",
    "reuseRetained,   yes,         'reuseRetained \"yes\" is not known'",
    "pathPattern,     ${.PVC.uid}, 'pathPattern \"${.PVC.uid}\" has ${.PVC.uid}'",
  })
  void whatIsRefused(String name, String value, String why) {
    assertThatThrownBy(() -> NfsParameters.of(Map.of(name, value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
  }

  @Test
  void modesAndOwners() {
    NfsParameters parameters = NfsParameters.of(Map.of("mode", "0750", "uid", "1000"));
    assertThat(PosixFilePermissions.toString(parameters.mode())).isEqualTo("rwxr-x---");
    assertThat(parameters.uid()).hasValue(1000);
    assertThat(parameters.gid()).isEmpty();
    assertThat(PosixFilePermissions.toString(NfsParameters.of(Map.of()).mode()))
        .isEqualTo("rwxrwxrwx");
  }

  @ParameterizedTest
  @CsvSource({
    "srv,             'nfs-exports \"srv\" is not understood'",
    "srv:/a,          'nfs-exports \"srv:/a\" is not understood'",
    "/a=/b,           'nfs-exports \"/a=/b\" is not understood'",
    "srv:a=/b,        'nfs-exports \"srv:a=/b\" is not understood'",
  })
  void exportsThatAreNotUnderstood(String written, String why) {
    assertThatThrownBy(() -> Exports.of(written, false)).hasMessageContaining(why);
  }

  @Test
  void aClassNamesItsExport() {
    Exports exports = Exports.of("s1:/a=/m1, s1:/b/=/m2, fd00::1:/=/m3", false);
    assertThat(exports.all())
        .extracting(Export::toString)
        .containsExactly("s1:/a", "s1:/b", "fd00::1:/");
    assertThat(exports.chosen(NfsParameters.of(Map.of("server", "fd00::1"))).share())
        .isEqualTo("/");
    assertThat(exports.chosen(NfsParameters.of(Map.of("share", "/b/"))).share()).isEqualTo("/b");
    assertThatThrownBy(() -> exports.chosen(NfsParameters.of(Map.of("server", "s1"))))
        .hasMessageContaining("several exports fit");
    assertThatThrownBy(() -> exports.chosen(NfsParameters.of(Map.of("server", "s2"))))
        .hasMessageContaining("no export fits");
  }
}
