package dev.mooring.csi.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.spi.csi.StatusCode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The table of spec/csi-bridge.md 2.2: final for CreateVolume, for the others; infeasible to make,
 * to grow; never made at an earlier call either.
 */
class CodesTest {
  @ParameterizedTest
  @CsvSource({
    "CANCELLED,           false, false, false, false, false",
    "DEADLINE_EXCEEDED,   false, false, false, false, false",
    "UNAVAILABLE,         false, false, false, false, false",
    "ABORTED,             false, false, false, false, false",
    "RESOURCE_EXHAUSTED,  true,  false, false, false, false",
    "INVALID_ARGUMENT,    true,  true,  true,  true, true",
    "OUT_OF_RANGE,        true,  true,  false, true, true",
    "NOT_FOUND,           true,  true,  false, true, false",
    "FAILED_PRECONDITION, true,  true,  false, false, false",
    "UNKNOWN,             true,  true,  false, false, false",
    "ALREADY_EXISTS,      true,  true,  false, false, false",
    "PERMISSION_DENIED,   true,  true,  false, false, false",
    "UNIMPLEMENTED,       true,  true,  false, false, true",
    "INTERNAL,            true,  true,  false, false, false",
    "DATA_LOSS,           true,  true,  false, false, false",
    "UNAUTHENTICATED,     true,  true,  false, false, false",
  })
  void whatACodeSays(
      StatusCode code, boolean create, boolean others, boolean make, boolean grow, boolean never) {
    assertThat(Codes.isFinalForCreate(code)).isEqualTo(create);
    assertThat(Codes.isFinal(code)).isEqualTo(others);
    assertThat(Codes.isInfeasibleToCreate(code)).isEqualTo(make);
    assertThat(Codes.isInfeasibleToExpand(code)).isEqualTo(grow);
    assertThat(Codes.isNeverMade(code)).isEqualTo(never);
  }
}
