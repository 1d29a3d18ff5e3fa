package dev.mooring.benchmarks.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RequestCountTest {
  private static String line(String verb, String resource, int code, String count) {
    return "apiserver_request_total{code=\"%d\",component=\"apiserver\",dry_run=\"\",group=\"\",resource=\"%s\",scope=\"resource\",subresource=\"\",verb=\"%s\",version=\"v1\"} %s\n"
        .formatted(code, resource, verb, count);
  }

  @Test
  void of_severalResources_countsVolumeResourcesOnly() {
    String metrics =
        "# TYPE apiserver_request_total counter\n"
            + line("PATCH", "persistentvolumes", 200, "40")
            + line("POST", "events", 201, "1.5e+03")
            + line("PUT", "leases", 200, "7")
            + "apiserver_request_duration_seconds_count{resource=\"persistentvolumes\",verb=\"PATCH\"} 40\n";

    assertThat(RequestCount.of(metrics)).isEqualTo(new RequestCount(1540, 0));
  }

  @Test
  void of_watch_isNotCounted() {
    assertThat(RequestCount.of(line("WATCH", "persistentvolumes", 200, "9")))
        .isEqualTo(RequestCount.NONE);
  }

  @Test
  void of_patchWith409_isConflict() {
    assertThat(RequestCount.of(line("PATCH", "nodes", 409, "3"))).isEqualTo(new RequestCount(3, 3));
    assertThat(RequestCount.ofRequest("PATCH", 409)).isEqualTo(new RequestCount(1, 1));
  }

  @Test
  void of_createWith409_isNoConflict() {
    assertThat(RequestCount.of(line("POST", "volumeattachments", 409, "3")))
        .isEqualTo(new RequestCount(3, 0));
    assertThat(RequestCount.ofRequest("POST", 409)).isEqualTo(new RequestCount(1, 0));
  }
}
