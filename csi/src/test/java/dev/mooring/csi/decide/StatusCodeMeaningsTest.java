package dev.mooring.csi.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.csi.decide.StatusCodeMeanings.Call;
import dev.mooring.csi.decide.StatusCodeMeanings.Effect;
import dev.mooring.csi.decide.StatusCodeMeanings.Meaning;
import dev.mooring.spi.csi.StatusCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tables of the CSI specification and of the sidecars, for every call and code. */
class StatusCodeMeaningsTest {
  /** Code; CreateVolume; DeleteVolume, publish and unpublish; expand; modify; CreateSnapshot. */
  @ParameterizedTest
  @CsvSource({
    "CANCELLED, MAYBE BACK_OFF, MAYBE BACK_OFF, MAYBE BACK_OFF, MAYBE BACK_OFF, MAYBE BACK_OFF",
    "UNKNOWN, NOT_BY_THIS_CALL BACK_OFF, NOT_BY_THIS_CALL BACK_OFF, NOT_BY_THIS_CALL BACK_OFF, NOT_BY_THIS_CALL BACK_OFF, NOT_BY_THIS_CALL BACK_OFF",
    "INVALID_ARGUMENT, NEVER SLOWLY, NOT_BY_THIS_CALL BACK_OFF, NOT_BY_THIS_CALL SLOWLY, NOT_BY_THIS_CALL SLOWLY, NEVER SLOWLY",
    "DEADLINE_EXCEEDED, MAYBE BACK_OFF, MAYBE BACK_OFF, MAYBE BACK_OFF, MAYBE BACK_OFF, MAYBE BACK_OFF",
    "NOT_FOUND, NEVER BACK_OFF, NOT_BY_THIS_CALL BACK_OFF, NOT_BY_THIS_CALL SLOWLY, NOT_BY_THIS_CALL BACK_OFF, NOT_BY_THIS_CALL BACK_OFF",
    "ALREADY_EXISTS, NOT_BY_THIS_CALL BACK_OFF, NOT_BY_THIS_CALL BACK_OFF, NOT_BY_THIS_CALL BACK_OFF, NOT_BY_THIS_CALL BACK_OFF, NOT_BY_THIS_CALL BACK_OFF",
    "PERMISSION_DENIED, NOT_BY_THIS_CALL BACK_OFF, NOT_BY_THIS_CALL BACK_OFF, NOT_BY_THIS_CALL BACK_OFF, NOT_BY_THIS_CALL BACK_OFF, NOT_BY_THIS_CALL BACK_OFF",
    "RESOURCE_EXHAUSTED, NEVER ELSEWHERE, MAYBE BACK_OFF, MAYBE BACK_OFF, MAYBE BACK_OFF, NOT_BY_THIS_CALL BACK_OFF",
    "FAILED_PRECONDITION, NOT_BY_THIS_CALL BACK_OFF, NOT_BY_THIS_CALL BACK_OFF, NOT_BY_THIS_CALL BACK_OFF, NOT_BY_THIS_CALL BACK_OFF, NOT_BY_THIS_CALL BACK_OFF",
    "ABORTED, MAYBE BACK_OFF, MAYBE BACK_OFF, MAYBE BACK_OFF, MAYBE BACK_OFF, MAYBE BACK_OFF",
    "OUT_OF_RANGE, NEVER BACK_OFF, NOT_BY_THIS_CALL BACK_OFF, NOT_BY_THIS_CALL SLOWLY, NOT_BY_THIS_CALL BACK_OFF, NOT_BY_THIS_CALL BACK_OFF",
    "UNIMPLEMENTED, NEVER BACK_OFF, NOT_BY_THIS_CALL BACK_OFF, NOT_BY_THIS_CALL BACK_OFF, NOT_BY_THIS_CALL BACK_OFF, NEVER BACK_OFF",
    "INTERNAL, NOT_BY_THIS_CALL BACK_OFF, NOT_BY_THIS_CALL BACK_OFF, NOT_BY_THIS_CALL BACK_OFF, NOT_BY_THIS_CALL BACK_OFF, NOT_BY_THIS_CALL BACK_OFF",
    "UNAVAILABLE, MAYBE BACK_OFF, MAYBE BACK_OFF, MAYBE BACK_OFF, MAYBE BACK_OFF, MAYBE BACK_OFF",
    "DATA_LOSS, NOT_BY_THIS_CALL BACK_OFF, NOT_BY_THIS_CALL BACK_OFF, NOT_BY_THIS_CALL BACK_OFF, NOT_BY_THIS_CALL BACK_OFF, NOT_BY_THIS_CALL BACK_OFF",
    "UNAUTHENTICATED, NOT_BY_THIS_CALL BACK_OFF, NOT_BY_THIS_CALL BACK_OFF, NOT_BY_THIS_CALL BACK_OFF, NOT_BY_THIS_CALL BACK_OFF, NOT_BY_THIS_CALL BACK_OFF",
  })
  void meaning_ofCode_matchesSpecification(
      StatusCode code,
      String create,
      String otherCalls,
      String expand,
      String modify,
      String snapshot) {
    assertThat(meaning(Call.CREATE_VOLUME, code)).isEqualTo(create);
    assertThat(meaning(Call.DELETE_VOLUME, code)).isEqualTo(otherCalls);
    assertThat(meaning(Call.PUBLISH, code)).isEqualTo(otherCalls);
    assertThat(meaning(Call.UNPUBLISH, code)).isEqualTo(otherCalls);
    assertThat(meaning(Call.EXPAND, code)).isEqualTo(expand);
    assertThat(meaning(Call.MODIFY, code)).isEqualTo(modify);
    assertThat(meaning(Call.CREATE_SNAPSHOT, code)).isEqualTo(snapshot);
    assertThat(meaning(Call.DELETE_SNAPSHOT, code)).isEqualTo(otherCalls);
    assertThat(meaning(Call.LIST_VOLUMES, code)).isEqualTo("NEVER PERIODICALLY");
    assertThat(meaning(Call.GET_CAPACITY, code)).isEqualTo("NEVER PERIODICALLY");
    assertThat(meaning(Call.LIST_SNAPSHOTS, code)).isEqualTo("NEVER BACK_OFF");
  }

  private static String meaning(Call call, StatusCode code) {
    Meaning meaning = StatusCodeMeanings.of(call, code);
    return meaning.effect() + " " + meaning.retry();
  }

  @ParameterizedTest
  @EnumSource(StatusCode.class)
  void isFinal_code_isFalseOnlyIfCallMayRun(StatusCode code) {
    for (Call call : Call.values()) {
      Meaning meaning = StatusCodeMeanings.of(call, code);
      assertThat(meaning.isFinal()).isEqualTo(meaning.effect() != Effect.MAYBE);
    }
  }

  /** docs/csi-reference.md has the same row for each code. */
  @Test
  void documentation_anyCode_hasRow() throws IOException {
    String docs = Files.readString(Path.of("../docs/csi-reference.md"));
    for (StatusCode code : StatusCode.values()) {
      if (code != StatusCode.OK) {
        assertThat(docs).contains(row(code));
      }
    }
    assertThat(docs).contains(Arrays.stream(Call.values()).map(Call::method).toList());
  }

  private static String row(StatusCode code) {
    return "| `"
        + code
        + "` | "
        + cell(Call.CREATE_VOLUME, code)
        + " | "
        + cell(Call.DELETE_VOLUME, code)
        + " | "
        + cell(Call.EXPAND, code)
        + " | "
        + cell(Call.MODIFY, code)
        + " | "
        + cell(Call.CREATE_SNAPSHOT, code)
        + " |";
  }

  private static String cell(Call call, StatusCode code) {
    Meaning meaning = StatusCodeMeanings.of(call, code);
    String effect =
        switch (meaning.effect()) {
          case MAYBE -> "may still run";
          case NOT_BY_THIS_CALL -> "ended";
          case NEVER -> "nothing created";
        };
    return effect
        + switch (meaning.retry()) {
          case SLOWLY -> ", longest back-off";
          case ELSEWHERE -> ", another node";
          case BACK_OFF, PERIODICALLY -> "";
        };
  }
}
