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
  private final TlsListener server;
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();
  private @Nullable Http2Headers requestHead;

  Http2Request(TlsListener server, Channel stream) {
    super(stream);
    this.server = server;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, Http2StreamFrame frame) {
    boolean isComplete = false;
    if (frame instanceof Http2HeadersFrame headers) {
      requestHead = requestHead == null ? headers.headers() : requestHead; // ignores trailers
      isComplete = headers.isEndStream();
    } else if (frame instanceof Http2DataFrame data) {
      if (body.size() <= HttpListener.MAX_BODY) { // a longer body is refused
        body.writeBytes(ByteBufUtil.getBytes(data.content()));
      }
      isComplete = data.isEndStream();
    }
    Http2Headers requestHeaders = requestHead;
    if (!isComplete || requestHeaders == null) {
      return;
    }
    URI target =
        requestHeaders.path() == null ? null : RequestTargets.parseTarget(requestHeaders.path());
    if (target == null) {
      Http2Headers badRequest = new DefaultHttp2Headers().status("400");
      context.writeAndFlush(new DefaultHttp2HeadersFrame(badRequest, true));
      return;
    }
    server.serve(
        context.channel().parent(),
        makeRequest(requestHeaders, target),
        new Http2Answer(context.channel()));
  }

  private WireExchange.WireRequest makeRequest(Http2Headers requestHeaders, URI target) {
    Headers headers = new Headers();
    for (Map.Entry<CharSequence, CharSequence> header : requestHeaders) {
      if (header.getKey().charAt(0) != ':') {
        headers.add(header.getKey().toString(), header.getValue().toString());
      }
    }
    return new WireExchange.WireRequest(
        requestHeaders.method().toString(), target, "HTTP/2.0", headers, body.toByteArray());
  }

  private final class Http2Answer implements AnswerWriter {
    private final Channel stream;

    Http2Answer(Channel stream) {
      this.stream = stream;
    }

    @Override
    public void sendHead(int code, Headers headers, long length) {
      Http2Headers responseHeaders = new DefaultHttp2Headers().status(Integer.toString(code));
      headers.forEach((name, values) -> responseHeaders.add(name.toLowerCase(Locale.ROOT), values));
      if (length > 0) {
        responseHeaders.addLong("content-length", length);
      }
      stream
          .writeAndFlush(new DefaultHttp2HeadersFrame(responseHeaders, length < 0))
          .addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    }

    @Override
    public void requireOpen() throws IOException {
      Http2Request.this.requireOpen();
    }

    @Override
    public void sendChunk(byte[] bytes, int offset, int length) throws IOException {
      awaitWritable();
      byte[] copy = Arrays.copyOfRange(bytes, offset, offset + length);
      stream.writeAndFlush(new DefaultHttp2DataFrame(Unpooled.wrappedBuffer(copy)));
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
