package dev.mooring.apiserver.simulate;

import static dev.mooring.apiserver.codec.JsonBodies.textAt;

import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;

final class PodClaims {
  private PodClaims() {}

  static List<String> names(JsonObject pod) {
    List<String> names = new ArrayList<>();
    for (JsonObject volume : SimulatedObjects.objectsAt(pod, "spec", "volumes")) {
      String claim = textAt(volume, "persistentVolumeClaim", "claimName");
      if (!claim.isEmpty()) {
        names.add(claim);
      } else if (volume.has("ephemeral")) {
        names.add(SimulatedObjects.getName(pod) + "-" + textAt(volume, "name"));
      }
    }
    return names;
  }
}
