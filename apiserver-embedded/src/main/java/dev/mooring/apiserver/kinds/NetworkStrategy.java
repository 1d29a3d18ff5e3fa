package dev.mooring.apiserver.kinds;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.child;
import static dev.mooring.apiserver.codec.JsonBodies.strings;
import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/** Endpoints and EndpointSlices. */
final class NetworkStrategy {
  private static final Pattern V4 =
      Pattern.compile("((25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)(\\.(?!$)|$)){4}");
  private static final Pattern V6 = Pattern.compile("[0-9a-fA-F:]*:[0-9a-fA-F:.]*");
  private static final String LOOPBACK = "may not be in the loopback range (127.0.0.0/8, ::1/128)";

  private NetworkStrategy() {}

  private static void special(String ip, String field, FieldErrors causes) {
    if (ip.startsWith("127.") || ip.equals("::1")) {
      causes.invalid(field, ip, LOOPBACK);
    } else if (ip.equals("0.0.0.0") || ip.equals("::")) {
      causes.invalid(field, ip, "may not be unspecified (0.0.0.0 or ::)");
    } else if (ip.startsWith("169.254.") || ip.startsWith("fe80:")) {
      causes.invalid(field, ip, "may not be in the link-local range (169.254.0.0/16, fe80::/10)");
    }
  }

  private static void ports(JsonElement list, String field, FieldErrors causes) {
    if (!(list instanceof JsonArray ports)) {
      return;
    }
    for (int i = 0; i < ports.size(); i++) {
      JsonElement port = at(ports.get(i).getAsJsonObject(), "port");
      if (port != null && (port.getAsLong() < 1 || port.getAsLong() > 65535)) {
        causes.invalid(field + "[" + i + "].port", port, "must be between 1 and 65535, inclusive");
      }
    }
  }

  private static void protocols(JsonElement list, boolean named) {
    if (list instanceof JsonArray ports) {
      for (JsonElement one : ports) {
        JsonObject port = one.getAsJsonObject();
        if (text(port, "protocol").isEmpty()) {
          port.addProperty("protocol", "TCP");
        }
        if (named && !port.has("name")) {
          port.addProperty("name", "");
        }
      }
    }
  }

  /** Endpoints. */
  static final class Endpoints extends PlainStrategy {
    @Override
    public void setDefaults(JsonObject object) {
      if (at(object, "subsets") instanceof JsonArray subsets) {
        subsets.forEach(s -> {
          JsonElement ports = at(s.getAsJsonObject(), "ports");
          if (ports != null) {
            protocols(ports, false);
          }
        });
      }
    }

    @Override
    public void validate(JsonObject object, FieldErrors causes) {
      if (!(at(object, "subsets") instanceof JsonArray subsets)) {
        return;
      }
      for (int i = 0; i < subsets.size(); i++) {
        JsonObject subset = subsets.get(i).getAsJsonObject();
        String field = "subsets[" + i + "]";
        if (at(subset, "addresses") == null && at(subset, "notReadyAddresses") == null) {
          causes.required(field, "must specify `addresses` or `notReadyAddresses`");
        }
        for (String list : List.of("addresses", "notReadyAddresses")) {
          if (at(subset, list) instanceof JsonArray addresses) {
            for (int j = 0; j < addresses.size(); j++) {
              String at = field + "." + list + "[" + j + "].ip";
              address(text(addresses.get(j).getAsJsonObject(), "ip"), at, causes);
            }
          }
        }
        JsonElement ports = at(subset, "ports");
        if (ports != null) {
          ports(ports, field + ".ports", causes);
        }
      }
    }

    private static void address(String ip, String field, FieldErrors causes) {
      if (!V4.matcher(ip).matches() && !V6.matcher(ip).matches()) {
        causes.invalid(field, ip, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
        causes.invalid(field, ip, "must be a valid IP address");
      } else {
        special(ip, field, causes);
      }
    }

    @Override
    public List<Column> columns() {
      return List.of(TableColumns.NAME, TableColumns.column("Endpoints"), TableColumns.AGE);
    }

    @Override
    public List<JsonElement> cells(JsonObject o) {
      List<String> all = new ArrayList<>();
      if (at(o, "subsets") instanceof JsonArray subsets) {
        for (JsonElement one : subsets) {
          JsonObject subset = one.getAsJsonObject();
          if (at(subset, "addresses") instanceof JsonArray addresses
              && at(subset, "ports") instanceof JsonArray ports) {
            for (JsonElement port : ports) {
              addresses.forEach(a ->
                  all.add(
                      text(a.getAsJsonObject(), "ip")
                          + ":"
                          + text(port.getAsJsonObject(), "port")));
            }
          }
        }
      }
      String told =
          all.isEmpty()
              ? "<none>"
              : String.join(",", all.subList(0, Math.min(3, all.size())))
                  + (all.size() > 3 ? " + " + (all.size() - 3) + " more..." : "");
      return List.of(TableColumns.name(o), TableColumns.cell(told), TableColumns.age(o));
    }
  }

  /** EndpointSlices. */
  static final class Slices extends PlainStrategy {
    @Override
    public void setDefaults(JsonObject object) {
      JsonElement ports = at(object, "ports");
      if (ports != null) {
        protocols(ports, true);
      }
    }

    @Override
    public void prepareCreate(JsonObject object) {
      child(object, "metadata").addProperty("generation", 1);
    }

    @Override
    public void prepareUpdate(JsonObject object, JsonObject old) {
      boolean changed =
          List.of("endpoints", "ports", "addressType").stream()
              .anyMatch(f -> !Objects.equals(at(object, f), at(old, f)));
      JsonElement before = at(old, "metadata", "generation");
      if (changed) {
        child(object, "metadata")
            .addProperty("generation", before == null ? 1 : before.getAsLong() + 1);
      }
    }

    @Override
    public void validate(JsonObject object, FieldErrors causes) {
      String type = text(object, "addressType");
      List<String> types = List.of("IPv4", "IPv6", "FQDN");
      if (type.isEmpty()) {
        causes.required("addressType", "");
      } else if (!types.contains(type)) {
        causes.notSupported("addressType", type, types);
      }
      if (at(object, "endpoints") instanceof JsonArray endpoints) {
        for (int i = 0; i < endpoints.size(); i++) {
          addresses(
              strings(endpoints.get(i).getAsJsonObject(), "addresses"),
              type,
              "endpoints[" + i + "].addresses",
              causes);
        }
      }
      JsonElement ports = at(object, "ports");
      if (ports != null) {
        ports(ports, "ports", causes);
      }
    }

    private static void addresses(
        List<String> addresses, String type, String field, FieldErrors causes) {
      if (addresses.isEmpty()) {
        causes.required(field, "must contain at least 1 address");
      }
      for (int i = 0; i < addresses.size(); i++) {
        String address = addresses.get(i);
        if (type.equals("IPv4") && !V4.matcher(address).matches()) {
          causes.invalid(field, address, "must be an IPv4 address");
        } else if (type.equals("IPv6") && !V6.matcher(address).matches()) {
          causes.invalid(field, address, "must be an IPv6 address");
        }
        if (!type.equals("FQDN")) {
          special(address, field + "[" + i + "]", causes);
        }
      }
    }

    @Override
    public void validateUpdate(JsonObject object, JsonObject old, FieldErrors causes) {
      if (text(object, "addressType").equals(text(old, "addressType"))) {
        validate(object, causes);
      } else {
        causes.immutable("addressType", text(object, "addressType"));
      }
    }
  }
}
