package dev.mooring.apiserver.kinds.rules;

import dev.mooring.apiserver.kinds.model.FieldErrors;
import java.util.List;
import java.util.regex.Pattern;

public final class IpAddresses {
  private static final Pattern FOUR =
      Pattern.compile("(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})");
  private static final Pattern SIX = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

  private IpAddresses() {}

  public static void validateIp(String written, String field, FieldErrors errors) {
    if (!isIpv4(written) && !isIpv6(written)) {
      errors.addInvalid(
          field, written, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
    }
  }

  public static boolean isIpv4(String written) {
    var m = FOUR.matcher(written);
    if (!m.matches()) {
      return false;
    }
    for (int i = 1; i <= m.groupCount(); i++) {
      if (Integer.parseInt(m.group(i)) > 255) {
        return false;
      }
    }
    return true;
  }

  public static boolean isIpv6(String written) {
    if (!SIX.matcher(written).matches() || written.contains(":::")) {
      return false;
    }
    boolean shortened = written.contains("::");
    String[] parts = written.split(":", -1);
    int count = 0;
    for (int i = 0; i < parts.length; i++) {
      boolean last = i == parts.length - 1;
      if (last && parts[i].contains(".") && isIpv4(parts[i])) {
        count += 2;
      } else if (parts[i].length() > 4 || parts[i].contains(".")) {
        return false;
      } else if (!parts[i].isEmpty()) {
        count++;
      } else if (!shortened) {
        return false;
      }
    }
    return written.indexOf("::") == written.lastIndexOf("::")
        && (shortened ? count < 8 : count == 8);
  }

  static boolean isBlock(String written) {
    int slash = written.indexOf('/');
    if (slash < 0 || !written.substring(slash + 1).matches("\\d{1,3}")) {
      return false;
    }
    int bits = Integer.parseInt(written.substring(slash + 1));
    String address = written.substring(0, slash);
    return isIpv4(address) && bits <= 32 || isIpv6(address) && bits <= 128;
  }

  public static void validateBlock(String written, String field, FieldErrors errors) {
    if (!isBlock(written)) {
      errors.addInvalid(
          field, written, "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)");
    }
  }

  public static boolean isOneOfEach(List<String> written) {
    return written.stream().filter(w -> w.contains(":")).count() <= 1
        && written.stream().filter(w -> !w.contains(":")).count() <= 1;
  }
}
