package dev.mooring.apiserver.kinds.rules;

import dev.mooring.apiserver.kinds.model.FieldErrors;
import java.util.List;
import java.util.regex.Pattern;

public final class IpAddresses {
  private static final Pattern IPV4 =
      Pattern.compile("(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})");
  private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

  private IpAddresses() {}

  public static void validateIp(String address, String field, FieldErrors errors) {
    if (!isIpv4(address) && !isIpv6(address)) {
      errors.addInvalid(
          field, address, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
    }
  }

  public static boolean isIpv4(String address) {
    var matcher = IPV4.matcher(address);
    if (!matcher.matches()) {
      return false;
    }
    for (int i = 1; i <= matcher.groupCount(); i++) {
      if (Integer.parseInt(matcher.group(i)) > 255) {
        return false;
      }
    }
    return true;
  }

  public static boolean isIpv6(String address) {
    if (!IPV6.matcher(address).matches() || address.contains(":::")) {
      return false;
    }
    boolean isShortened = address.contains("::");
    String[] groups = address.split(":", -1);
    int count = 0;
    for (int i = 0; i < groups.length; i++) {
      boolean isLast = i == groups.length - 1;
      if (isLast && groups[i].contains(".") && isIpv4(groups[i])) {
        count += 2;
      } else if (groups[i].length() > 4 || groups[i].contains(".")) {
        return false;
      } else if (!groups[i].isEmpty()) {
        count++;
      } else if (!isShortened) {
        return false;
      }
    }
    return address.indexOf("::") == address.lastIndexOf("::")
        && (isShortened ? count < 8 : count == 8);
  }

  static boolean isCidr(String cidr) {
    int slash = cidr.indexOf('/');
    if (slash < 0 || !cidr.substring(slash + 1).matches("\\d{1,3}")) {
      return false;
    }
    int prefixLength = Integer.parseInt(cidr.substring(slash + 1));
    String address = cidr.substring(0, slash);
    return isIpv4(address) && prefixLength <= 32 || isIpv6(address) && prefixLength <= 128;
  }

  public static void validateCidr(String cidr, String field, FieldErrors errors) {
    if (!isCidr(cidr)) {
      errors.addInvalid(
          field, cidr, "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)");
    }
  }

  /** Returns whether the list has at most one address of each IP family. */
  public static boolean hasOnePerFamily(List<String> addresses) {
    return addresses.stream().filter(w -> w.contains(":")).count() <= 1
        && addresses.stream().filter(w -> !w.contains(":")).count() <= 1;
  }
}
