# SPDX-License-Identifier: Apache-2.0
"""Hands on what comes to its ports, each byte later by a delay, in both directions. It is the network between a
scheduler and the services, for kernels without netem. Arguments: MILLISECONDS PORT:TARGET..., all of 127.0.0.1."""

import asyncio
import sys

PIECE = 65536
MOST_PIECES = 4096  # on their way in one direction; then the sender waits, as with a full window


async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, seconds: float) -> None:
    """Until the end of what the reader gives, and then ends what the writer says."""
    loop = asyncio.get_running_loop()
    under_way: asyncio.Queue = asyncio.Queue(MOST_PIECES)

    async def arrive() -> None:
        while True:
            due, piece = await under_way.get()
            await asyncio.sleep(due - loop.time())
            if not piece:
                return
            writer.write(piece)
            await writer.drain()

    arriving = asyncio.create_task(arrive())
    try:
        while not arriving.done():
            piece = await reader.read(PIECE)
            await under_way.put((loop.time() + seconds, piece))
            if not piece:
                break
        await arriving
    except OSError:
        pass
    finally:
        arriving.cancel()
        writer.close()


async def serve(port: int, target: int, seconds: float) -> asyncio.Server:
    async def meet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", target)
        except OSError:
            writer.close()
            return
        await asyncio.gather(carry(reader, far_writer, seconds), carry(far_reader, writer, seconds), return_exceptions=True)

    return await asyncio.start_server(meet, "127.0.0.1", port)


async def main(milliseconds: str, *pairs: str) -> None:
    servers = [await serve(*map(int, pair.split(":")), float(milliseconds) / 1000) for pair in pairs]
    await asyncio.gather(*(server.serve_forever() for server in servers))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
