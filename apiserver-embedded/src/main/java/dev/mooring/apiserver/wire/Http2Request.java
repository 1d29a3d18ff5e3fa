package dev.mooring.apiserver.wire;

import com.sun.net.httpserver.Headers;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2StreamFrame;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

final class Http2Request extends RequestChannel<Http2StreamFrame> {
  private final WireListener server;
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();
  private @Nullable Http2Headers head;

  Http2Request(WireListener server, Channel stream) {
    super(stream);
    this.server = server;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, Http2StreamFrame frame) {
    boolean whole = false;
    if (frame instanceof Http2HeadersFrame headers) {
      head = head == null ? headers.headers() : head; // ignores trailers
      whole = headers.isEndStream();
    } else if (frame instanceof Http2DataFrame data) {
      if (body.size() <= WireListener.MOST_BODY) { // a longer body is refused
        body.writeBytes(ByteBufUtil.getBytes(data.content()));
      }
      whole = data.isEndStream();
    }
    Http2Headers requested = head;
    if (!whole || requested == null) {
      return;
    }
    URI target = requested.path() == null ? null : RequestTargets.target(requested.path());
    if (target == null) {
      Http2Headers bad = new DefaultHttp2Headers().status("400");
      context.writeAndFlush(new DefaultHttp2HeadersFrame(bad, true));
      return;
    }
    server.serve(
        context.channel().parent(), request(requested, target), new Http2Answer(context.channel()));
  }

  private WireExchange.WireRequest request(Http2Headers requested, URI target) {
    Headers headers = new Headers();
    for (Map.Entry<CharSequence, CharSequence> each : requested) {
      if (each.getKey().charAt(0) != ':') {
        headers.add(each.getKey().toString(), each.getValue().toString());
      }
    }
    return new WireExchange.WireRequest(
        requested.method().toString(), target, "HTTP/2.0", headers, body.toByteArray());
  }

  private final class Http2Answer implements AnswerWriter {
    private final Channel stream;

    Http2Answer(Channel stream) {
      this.stream = stream;
    }

    @Override
    public void sendHead(int code, Headers headers, long length) {
      Http2Headers sent = new DefaultHttp2Headers().status(Integer.toString(code));
      headers.forEach((name, values) -> sent.add(name.toLowerCase(Locale.ROOT), values));
      if (length > 0) {
        sent.addLong("content-length", length);
      }
      stream
          .writeAndFlush(new DefaultHttp2HeadersFrame(sent, length < 0))
          .addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    }

    @Override
    public void requireOpen() throws IOException {
      Http2Request.this.requireOpen();
    }

    @Override
    public void sendPart(byte[] bytes, int from, int length) throws IOException {
      awaitWritable();
      byte[] own = Arrays.copyOfRange(bytes, from, from + length);
      stream.writeAndFlush(new DefaultHttp2DataFrame(Unpooled.wrappedBuffer(own)));
    }

    @Override
    public void finish() {
      stream.writeAndFlush(new DefaultHttp2DataFrame(true));
    }

    @Override
    public void abort() {
      stream.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.INTERNAL_ERROR));
    }
  }
}
