package dev.mooring.plugin.csi;

import csi.v1.ControllerGrpc;
import csi.v1.ListVolumesRequest;
import csi.v1.ListVolumesResponse;
import io.grpc.Status;
import io.grpc.StatusException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

final class VolumePages {
  private VolumePages() {}

  /**
   * Returns a value for each volume, by volume id.
   *
   * @param controller creates a stub for each page, with its own deadline
   */
  static <T> Map<String, T> list(
      Supplier<ControllerGrpc.ControllerBlockingV2Stub> controller,
      int pageSize,
      Function<ListVolumesResponse.Entry, T> value)
      throws StatusException, InterruptedException {
    Map<String, T> volumes = new HashMap<>();
    Set<String> tokens = new HashSet<>();
    String token = "";
    do {
      ListVolumesResponse page =
          controller
              .get()
              .listVolumes(
                  ListVolumesRequest.newBuilder()
                      .setMaxEntries(pageSize)
                      .setStartingToken(token)
                      .build());
      page.getEntriesList().forEach(e -> volumes.put(e.getVolume().getVolumeId(), value.apply(e)));
      token = page.getNextToken();
      if (!tokens.add(token)) {
        String problem = "ListVolumes repeats token \"" + token + "\"";
        throw Status.INTERNAL.withDescription(problem).asException();
      }
    } while (!token.isEmpty());
    return Map.copyOf(volumes);
  }
}
